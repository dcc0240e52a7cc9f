// The views' code, each in a chunk of its own; a chunk that failed to load is requested again.
import { ApiError } from "../api/errors";

export const loadWiki = once(() => import("../wiki"));

export const loadFolders = once(() => import("../folders"));

export const loadHashes = once(() => import("../hashes"));

export const loadCache = once(() => import("../cache"));

export const loadHistory = once(() => import("../history"));

export const loadEditor = once(() => import("../editor"));

export const loadPages = once(() => import("../pages"));

export const loadSearch = once(() => import("../search"));

export const loadAssets = once(() => import("../assets"));

/** A page in the trash is read in the view of pages. */
export const loadTrashedPage = once(async () => {
  const [history, wiki] = await Promise.all([loadHistory(), loadWiki()]);
  return { TrashedPageView: history.TrashedPageView, WikiView: wiki.WikiView };
});

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
