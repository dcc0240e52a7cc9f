// The views' code, each in a chunk of its own; a chunk that failed to load is requested again.
import { ApiError } from "../api/errors";
import type { Route } from "./routes";

export const loadWiki = once(() => import("../wiki"));

export const loadFolders = once(() => import("../folders"));

export const loadHashes = once(() => import("../hashes"));

export const loadCache = once(() => import("../cache"));

export const loadPast = once(() => import("../past"));

export const loadEditor = once(() => import("../editor"));

export const loadPages = once(() => import("../pages"));

export const loadSearch = once(() => import("../search"));

export const loadAssets = once(() => import("../assets"));

/** Fetches a view's code before it is entered. The view reports a failure when it is entered. */
export async function fetchAhead(room: Route["room"]): Promise<void> {
  const loading = {
    wiki: loadWiki,
    history: loadPast,
    bin: loadPast,
    deleted: loadPast,
    edit: loadEditor,
    pictures: loadFolders,
    hashes: loadHashes,
    cache: loadCache,
    pages: loadPages,
    search: loadSearch,
    settings: null,
    unknown: null,
  }[room];
  try {
    await loading?.();
  } catch {
    // The view itself retries.
  }
}

/** Returns loaded code synchronously: a view that waited for it would be drawn twice. */
function once<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | null = null;
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().then(
      (module) => (loaded = module),
      (cause: unknown) => {
        loading = null;
        throw new ApiError("unreachable", 0, "a part of the page did not come", {}, { cause });
      },
    );
    return loaded ?? loading;
  };
}
