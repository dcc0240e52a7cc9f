// Unsaved texts of pages that were never saved: no page leads to them, so they are listed beside the pages.
import type { Backend, AutosaveEntry } from "../../api/backend";
import { editUrl, nameOfPage } from "../../markdown/links/page-path";

export interface UnsavedText {
  /** The entry's id. */
  id: string;
  path: string;
  title: string;
  updated_at: string;
}

/** Several changes may arrive at one moment: one read covers all. */
const SETTLE = 150;

export class UnsavedTexts {
  #items = $state.raw<readonly UnsavedText[]>([]);
  #reading: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly backend: Pick<Backend, "autosave">) {}

  /** The newest text of each path, the newest first. */
  get items(): readonly UnsavedText[] {
    return this.#items;
  }

  readSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.read(), SETTLE);
  }

  async read(): Promise<void> {
    this.#reading?.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const entries = await this.backend.autosave.list(null, signal);
      if (!signal.aborted) this.#items = unsavedNewPages(entries);
    } catch {
      // Optional: the known list stays, and each text is offered at its path.
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#reading?.abort();
  }
}

/** The address for editing a text. */
export function unsavedUrl({ id, path }: UnsavedText): string {
  return `${editUrl(path)}?take=${id}`;
}

function unsavedNewPages(entries: readonly AutosaveEntry[]): UnsavedText[] {
  const paths = new Set(entries.filter(({ page_exists }) => page_exists).map(({ path }) => path));
  const texts = entries
    .filter(({ page_exists, path, beginning }) => !page_exists && !paths.has(path) && path !== "/" && beginning.trim() !== "")
    .sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
  return texts
    .filter(({ path }, index) => texts.findIndex((other) => other.path === path) === index)
    .map(({ id, path, beginning, updated_at }) => ({ id, path, title: titleOf(beginning) ?? nameOfPage(path), updated_at }));
}

function titleOf(beginning: string): string | null {
  return /^#[ \t]+(.*\S)[ \t]*$/m.exec(beginning)?.[1]?.replace(/\\([\p{P}\p{S}])/gu, "$1") ?? null;
}
