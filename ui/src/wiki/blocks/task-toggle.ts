// Ticks a task in an open page: takes the lock, changes the one mark in the source, and saves, which releases the lock.
// If another user is editing the page, or its text differs from the shown one, nothing is changed.
import type { Backend } from "../../api/backend";
import { setTask } from "../../markdown";

export type Ticked =
  /** The page's present text. */
  | { kind: "saved"; text: string }
  /** The page has a newer revision. */
  | { kind: "moved_on" };

export interface TaskPage {
  id: string;
  /** The shown text. */
  text: string;
}

/** `line` is the task's in `page.text`. Throws the server's error, after releasing the lock. */
export async function toggleTask(
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
    // Without the tab's id: this save does not cover unsaved text of this tab, which is still on offer.
    await pages.save(page.id, text, { token });
    return { kind: "saved", text };
  } catch (error) {
    // The first error is reported; a lock that cannot be released now expires by itself.
    await locks.release(page.id, token).catch(() => {});
    throw error;
  }
}
