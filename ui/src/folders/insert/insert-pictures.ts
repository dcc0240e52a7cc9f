// Inserts pictures of a folder into a page: its editor opens, copies of the pictures are added to the page's files, and
// their links are appended to the text, to be reviewed and saved. Nothing is saved unseen.
import type { Backend, FilePlace, FolderEntry, VisitedPage } from "../../api/backend";
import type { Host } from "../../api/host";
import { type TransferredPicture, passPictures } from "../../editing/files/picture-transfer";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { startEdit } from "../../editing/locks/start-edit";
import { tabId } from "../../editing/locks/tab-id";
import { editUrl } from "../../markdown/links/page-path";
import { displayName } from "../entries/display-name";
import { placeOfEntry } from "../entries/folder-place";

/** Returns the entries that a page can show. */
export function picturesOf(folder: FilePlace, entries: Iterable<FolderEntry>): TransferredPicture[] {
  const pictures = [...entries].filter(({ kind, video }) => kind === "picture" && !video);
  return pictures.map((entry) => ({ ...placeOfEntry(folder, entry), name: displayName(entry.name) }));
}

/**
 * Inserts the pictures. Rejects without any effect if the page can't be edited, for example because another user edits
 * it. Also does nothing if the user has gone elsewhere meanwhile, as `isLeft` reports.
 */
export async function insertIntoPage(
  backend: Pick<Backend, "locks">,
  host: Pick<Host, "navigate">,
  { page_id, path }: VisitedPage,
  pictures: readonly TransferredPicture[],
  isLeft: () => boolean,
): Promise<void> {
  const tokens = new LockTokens(await tabId());
  // If this tab already edits the page, the editor takes the pictures.
  const isOurs = tokens.read(page_id) !== null;
  if (!isOurs && !(await startEdit(backend, { pageId: page_id, tabId: tabId(), takeOver: false, isLeft }))) return;
  if (isLeft()) return;
  const takeBack = passPictures(page_id, pictures);
  if (await host.navigate(editUrl(path))) return;
  takeBack();
  const lock = isOurs ? null : tokens.read(page_id);
  if (lock === null) return;
  tokens.remove(page_id);
  await backend.locks.release(page_id, lock.token);
}
