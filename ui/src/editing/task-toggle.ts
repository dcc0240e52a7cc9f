// Ticks a task of a page: takes the lock, changes the one mark in the source, and saves, which releases the lock. If
// another user is editing the page, or the task is no longer there, nothing is changed.
import type { Backend } from "../api/backend";
import { setTask } from "../markdown";

const LINE_END = /\r\n|\r|\n/;

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

/** A task by its line, which may have moved within the text since it was listed. */
export interface WrittenTask {
  page_id: string;
  line: number;
  /** The line. */
  written: string;
}

type Locking = Pick<Backend, "locks" | "pages">;

/** `line` is the task's in `page.text`. Throws the server's error, after releasing the lock. */
export function toggleTask(backend: Locking, page: TaskPage, line: number, done: boolean): Promise<Ticked> {
  return change(backend, page.id, (source) => (source === page.text ? setTask(source, line, done) : null));
}

/** Ticks a listed task, or the only one that is written in the same way; throws as `toggleTask` does. */
export function toggleWrittenTask(backend: Locking, { page_id, line, written }: WrittenTask, done: boolean): Promise<Ticked> {
  return change(backend, page_id, (source) => {
    const at = lineOf(source, line, written);
    return at === null ? null : setTask(source, at, done);
  });
}

/** The line of a task after it was ticked or not. */
export function writtenAs({ written, ...task }: WrittenTask, done: boolean): WrittenTask {
  return { ...task, written: setTask(written, 0, done) ?? written };
}

function lineOf(source: string, line: number, written: string): number | null {
  const lines = source.split(LINE_END);
  if (lines[line] === written) return line;
  const at = lines.indexOf(written);
  return at !== -1 && lines.lastIndexOf(written) === at ? at : null;
}

async function change({ locks, pages }: Locking, id: string, edit: (source: string) => string | null): Promise<Ticked> {
  const { token } = await locks.acquire(id);
  try {
    const source = await pages.source(id);
    const text = source.deleted ? null : edit(source.text);
    if (text === null) {
      await locks.release(id, token);
      return { kind: "moved_on" };
    }
    // Without the tab's id: this save does not cover unsaved text of this tab, which is still on offer.
    await pages.save(id, text, { token });
    return { kind: "saved", text };
  } catch (error) {
    // The first error is reported; a lock that cannot be released now expires by itself.
    await locks.release(id, token).catch(() => {});
    throw error;
  }
}
