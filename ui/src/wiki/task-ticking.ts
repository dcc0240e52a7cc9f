// Ticks a task while its page is read: takes the lock, changes the one mark in the source, saves, which releases.
// Where somebody else writes the page, or it is not the text any more that is shown, nothing is changed.
import type { Backend } from "../api/backend";
import { setTask } from "../markdown";

export type Ticked =
  /** The page's text is this now. */
  | { kind: "saved"; text: string }
  /** The page has moved on. */
  | { kind: "moved_on" };

export interface TaskPage {
  id: string;
  /** What is shown. */
  text: string;
}

/** `line` is the task's in `page.text`. Throws what the server says; the lock is given back then. */
export async function tickTask(
  { locks, pages }: Pick<Backend, "locks" | "pages">,
  page: TaskPage,
  line: number,
  done: boolean,
): Promise<Ticked> {
  const { token } = await locks.acquire(page.id);
  try {
    const source = await pages.source(page.id);
    const text = source.text === page.text && !source.deleted ? setTask(source.text, line, done) : null;
    if (text === null) {
      await locks.release(page.id, token);
      return { kind: "moved_on" };
    }
    // Without the tab's id: unsaved text of this tab, which waits to be taken up, is none of this save's.
    await pages.save(page.id, text, { token });
    return { kind: "saved", text };
  } catch (error) {
    // What went wrong first is what the person is told; a lock that can't be given back now ends by itself.
    await locks.release(page.id, token).catch(() => {});
    throw error;
  }
}
