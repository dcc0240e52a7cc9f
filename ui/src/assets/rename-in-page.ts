// Renames a file of a page together with the text that names it: one revision, whose undo is another.
import type { Asset, Backend } from "../api/backend";
import { renameFileInText } from "../editing/file-names";

export { renameFileInText };

export interface RenamedFile {
  asset: Asset;
  /** The texts before and after; null if the text does not name the file. */
  texts: { before: string; after: string } | null;
}

/**
 * Takes the lock first, so that nothing is renamed while another user edits the page. Throws the server's error, after
 * releasing the lock.
 */
export async function renameInPage(backend: Pick<Backend, "assets" | "locks" | "pages">, page: { id: string; path: string }, asset: Asset, to: string): Promise<RenamedFile> {
  const { assets, locks, pages } = backend;
  const changed = (text: string) => renameFileInText(text, page.path, { from: asset.file_name, to });
  if (changed((await pages.source(page.id)).text) === null) return { asset: await assets.rename(asset.id, to), texts: null };
  const { token } = await locks.acquire(page.id);
  try {
    const { text: before } = await pages.source(page.id);
    const renamed = await assets.rename(asset.id, to);
    const after = changed(before);
    if (after === null) await locks.release(page.id, token);
    else await pages.save(page.id, after, { token });
    return { asset: renamed, texts: after === null ? null : { before, after } };
  } catch (error) {
    // The first error is reported; a lock that cannot be released now expires by itself.
    await locks.release(page.id, token).catch(() => {});
    throw error;
  }
}

/** Undoes a rename. A text that has changed since keeps its changes. */
export async function undoRename(backend: Pick<Backend, "assets" | "locks" | "pages">, page: { id: string; path: string }, { asset, texts }: RenamedFile, to: string): Promise<void> {
  const { locks, pages } = backend;
  const isSame = texts !== null && (await pages.source(page.id)).text === texts.after;
  if (!isSame) {
    await renameInPage(backend, page, asset, to);
    return;
  }
  const { token } = await locks.acquire(page.id);
  try {
    await backend.assets.rename(asset.id, to);
    await pages.save(page.id, texts.before, { token });
  } catch (error) {
    await locks.release(page.id, token).catch(() => {});
    throw error;
  }
}
