// The rooms' code, each in a chunk of its own; a chunk that failed to come is asked for again.
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

/** Fetches a room's code before it is entered. That it failed, the room itself says when it is. */
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
    // The room itself asks again.
  }
}

/** What has come is given at once: a room that had to wait for it would be drawn twice. */
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
