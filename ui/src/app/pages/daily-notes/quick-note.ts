// The quick note: a text that is added to the end of a day's note, whatever is open.
import { hasCode } from "../../../api/errors";
import { locale } from "../../../i18n";
import { TemplateBook } from "../../../templates/templates";
import type { Day } from "../../../templates";
import type { App } from "../../app.svelte";
import { dailyPath } from "./daily-notes";
import { addElsewhere } from "./note-relay";

/** The key that adds the text, in the dialog and in the window. */
export const ADD_KEY = "Mod+Enter";

/** A text that could not be added stays here, also over a restart. */
const STORED = "fumikura.quick-note";

export const unsentNote = {
  read: (): string => localStorage.getItem(STORED) ?? "",
  write(text: string): void {
    if (text === "") localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, text);
  },
};

/**
 * Adds a text to a day's note as a paragraph of its own, and returns the note's path. If the note is being edited in
 * this window, or in another one of the same user, the text goes into the editor; else it is saved as a new revision. A
 * note that does not exist begins with its template. Throws the server's error; nothing is changed then.
 */
export async function addToDay(app: App, day: Day, note: string): Promise<string> {
  const path = dailyPath(app, day);
  const editor = app.openEditors.get(path);
  if (editor === undefined) await save(app, path, note);
  else editor(note);
  return path;
}

async function save(app: App, path: string, note: string): Promise<void> {
  try {
    await saveRevision(app, path, note);
  } catch (error) {
    // A note that is being begun has no revision yet.
    if (!hasCode(error, "locked", "draft") || !(await addElsewhere(path, note))) throw error;
  }
}

async function saveRevision(app: App, path: string, note: string): Promise<void> {
  const { pages, locks } = app.backend;
  const id = await idOf(app, path);
  if (id === null) {
    const { id: created, lock } = await pages.create(path);
    await saveUnder(app, created, lock.token, async () => joined(await beginning(app, path), note));
  } else {
    const { token } = await locks.acquire(id);
    await saveUnder(app, id, token, async () => joined((await pages.source(id)).text, note));
  }
}

async function saveUnder({ backend }: App, id: string, token: string, text: () => Promise<string>): Promise<void> {
  try {
    await backend.pages.save(id, await text(), { token });
  } catch (error) {
    // The first error is reported; a lock that cannot be released now expires by itself.
    await backend.locks.release(id, token).catch(() => {});
    throw error;
  }
}

/** Null if no page is at the path. */
async function idOf({ backend }: App, path: string): Promise<string | null> {
  try {
    return (await backend.pages.resolve(path)).id;
  } catch (error) {
    if (hasCode(error, "page_not_found")) return null;
    throw error;
  }
}

async function beginning({ backend, session }: App, path: string): Promise<string> {
  const { templates } = session.settings;
  const book = new TemplateBook({ backend, path, settings: templates, user: session.user?.name ?? "", locale: locale(), list: () => [] });
  const { text, problem } = await book.begin(null);
  if (problem !== null) throw problem.error;
  return text;
}

/** Puts a note behind a text, after an empty line. */
export function joined(text: string, note: string): string {
  const end = /\r\n/.test(text) ? "\r\n" : "\n";
  const own = note.trim().replaceAll("\n", end) + end;
  if (text.trim() === "") return own;
  const kept = text.replace(/[\r\n]+$/, "");
  return `${kept}${end}${end}${own}`;
}
