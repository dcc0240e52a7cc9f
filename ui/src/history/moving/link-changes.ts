// The link changes of a move, less those that are shown or undone already.
import type { MovedLink } from "../../api/moves";

/** Returns the changes that are not among the reported ones. */
export function unreportedChanges(changes: readonly MovedLink[], reported: readonly MovedLink[]): MovedLink[] {
  const reportedKeys = new Set(reported.map(keyOf));
  return changes.filter((link) => !reportedKeys.has(keyOf(link)));
}

export interface Move {
  from: string;
  to: string;
  warnings: readonly MovedLink[];
}

/** The link changes of an undo, less the links whose meaning is the same as before the move. */
export function changesAfterUndo(back: readonly MovedLink[], { from, to, warnings }: Move): MovedLink[] {
  // Moved pages are named by their paths at the time.
  const home = (path: string) => (path === to || path.startsWith(`${to}/`) ? from + path.slice(to.length) : path);
  const undone = new Set(warnings.map(({ page, link, before, after }) => keyOf({ page: home(page), link, before: after, after: before })));
  return back.filter((link) => link.before !== link.after && !undone.has(keyOf({ ...link, page: home(link.page) })));
}

function keyOf({ page, link, before, after }: MovedLink): string {
  return JSON.stringify([page, link, before, after]);
}
