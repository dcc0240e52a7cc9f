// Pictures of a folder go into a page: its editor opens, copies of them come to the page's files, and their links stand at
// the end of the text, to be looked over and saved. Nothing is saved unseen.
import type { Backend, FilePlace, FolderEntry, VisitedPage } from "../api/backend";
import type { Host } from "../api/host";
import { joinPath } from "../api/names";
import { type GivenPicture, handOn } from "../editing/given-pictures";
import { LockTokens } from "../editing/lock-tokens";
import { startEdit } from "../editing/start-edit";
import { tabId } from "../editing/tab-id";
import { editUrl } from "../markdown/page-path";
import { shownName } from "./shown-name";

/** Those of the entries that a page can show. */
export function picturesOf({ root, path }: FilePlace, entries: Iterable<FolderEntry>): GivenPicture[] {
  const pictures = [...entries].filter(({ kind }) => kind === "picture");
  return pictures.map((entry) => ({ root, path: joinPath(path, entry), name: shownName(entry.name) }));
}

/**
 * Rejects where the page can't be written: somebody else does, say. Then nothing has happened; nor where the person has
 * gone elsewhere meanwhile, as `isLeft` tells.
 */
export async function insertInto(
  backend: Pick<Backend, "locks">,
  host: Pick<Host, "navigate">,
  { page_id, path }: VisitedPage,
  pictures: readonly GivenPicture[],
  isLeft: () => boolean,
): Promise<void> {
  const tokens = new LockTokens(await tabId());
  // Where this tab writes the page already, the editor takes that up.
  const isOurs = tokens.read(page_id) !== null;
  if (!isOurs && !(await startEdit(backend, { pageId: page_id, tabId: tabId(), takeOver: false, isLeft }))) return;
  if (isLeft()) return;
  const takeBack = handOn(page_id, pictures);
  if (await host.navigate(editUrl(path))) return;
  takeBack();
  const lock = isOurs ? null : tokens.read(page_id);
  if (lock === null) return;
  tokens.remove(page_id);
  await backend.locks.release(page_id, lock.token);
}
