// A page with a history, and a trash, for the tests of the views that show them.
import { vi } from "vitest";
import type { Backend, PageDiff, PageMeta, Revision, RevisionList, RevisionsApi } from "../api/backend";
import { ApiError, type ApiErrorCode } from "../api/errors";
import type { EventMap, EventName, Handler } from "../api/events";
import type { DeletedPage, MovedLink, MovesApi } from "../api/moves";
import { fakeAsset } from "./fake-assets";
import { partialBackend } from "./partial-backend";

const TIME = "2026-11-20T09:00:00Z";

export function revision(number: number, rename: Revision["rename_info"] = null): Revision {
  return { revision: number, timestamp: TIME, user_name: "Aya", path: "/p", rename_info: rename, bytes: number * 10 };
}

export function deleted(path: string, deletion = path): DeletedPage {
  return { page_id: `id${path}`, path, deletion, deleted_at: TIME, user_name: "Ben", revision: 3, along: 0, cursor: `c${path}` };
}

export class FakeHistory {
  latest = 3;
  oldest = 1;
  renames: Revision[] = [];
  equal = false;
  /** The number of differences between two revisions, on every second line. */
  hunks = 1;
  down: ApiErrorCode | null = null;
  inTrash: DeletedPage[] = [];
  subpages = 0;
  warnings: MovedLink[] = [];
  /** The path of the page, if it is not in the trash. */
  currentPath: string | null = null;
  readonly #listeners = new Map<EventName, Set<Handler<EventName>>>();

  readonly revisions = {
    list: vi.fn<RevisionsApi["list"]>((_id, { before = Infinity, limit = 50 } = {}) =>
      this.answer((): RevisionList => {
        const top = Math.min(this.latest, before - 1);
        const count = Math.max(0, Math.min(limit, top - this.oldest + 1));
        const items = Array.from({ length: count }, (_, at) => revision(top - at));
        return { items, has_more: top - count >= this.oldest, oldest: this.oldest };
      }),
    ),
    diff: vi.fn((_id: string, from: number, to: number) => this.answer(() => this.#diff(from, to))),
    rollback: vi.fn<RevisionsApi["rollback"]>(() => this.answer(() => ({ revision: ++this.latest, warnings: [] }))),
    compact: vi.fn<RevisionsApi["compact"]>((_id, keepFrom) => this.answer(() => void (this.oldest = keepFrom))),
    markdown: vi.fn<RevisionsApi["markdown"]>((_id, { before } = {}) => this.answer(() => this.#markdownHistory(before))),
  };

  readonly moves = {
    preview: vi.fn<MovesApi["preview"]>(() =>
      this.answer(() => ({ revision: 4, pages: 1 + this.subpages, warnings: this.warnings })),
    ),
    rename: vi.fn<MovesApi["rename"]>(() =>
      this.answer(() => ({ revision: 4, pages: 1 + this.subpages, warnings: this.warnings })),
    ),
    remove: vi.fn<MovesApi["remove"]>(() => this.answer(() => {})),
    restore: vi.fn<MovesApi["restore"]>(() => this.answer(() => this.warnings)),
    trash: vi.fn(({ after, limit = 50 }: { after?: string | undefined; limit?: number }) =>
      this.answer(() => {
        const start = after === undefined ? 0 : this.inTrash.findIndex(({ cursor }) => cursor === after) + 1;
        return this.inTrash.slice(start, start + limit);
      }),
    ),
    deletedAt: vi.fn((path: string) => this.answer(() => this.inTrash.filter((page) => page.path === path))),
    children: vi.fn(() => this.answer(() => [])),
    countSubpages: vi.fn(() => this.answer(() => this.subpages)),
    parent: vi.fn(() => this.answer(() => "/")),
  };

  readonly meta = vi.fn<Backend["pages"]["meta"]>(() =>
    this.answer(() => {
      const path = this.inTrash[0]?.path ?? "/p";
      const isDeleted = this.currentPath === null && this.inTrash.length > 0;
      const page_info: PageMeta["page_info"] = {
        path: { kind: isDeleted ? "last_deleted" : "current", value: this.currentPath ?? path },
        revision_scope: { latest: this.latest, oldest: this.oldest },
        rename_revisions: [],
        deleted: isDeleted,
        draft: false,
        locked: false,
      };
      return { page_info, pictures: [], links: [] };
    }),
  );

  backend(): Backend {
    const pages = {
      resolve: () => this.answer(() => ({ id: "P", revision: this.latest })),
      source: () => this.answer(() => ({ text: "one\ntwo\nthree\n", revision: this.latest, etag: "", deleted: false })),
      meta: this.meta,
      search: () => this.answer(() => ["/", "/travel", "/p"].map((path) => ({ page_id: path, path, path_spans: [], title_spans: [], score: 1 }))),
    };
    const assets = { list: () => this.answer(() => [fakeAsset("a.png"), fakeAsset("b.png")]) };
    return partialBackend({ pages, assets, revisions: this.revisions, moves: this.moves, events: this.#events(), desktop: null });
  }

  emit<K extends EventName>(name: K, data: EventMap[K]): void {
    for (const handler of this.#listeners.get(name) ?? []) handler(data);
  }

  async answer<T>(work: () => T): Promise<T> {
    await Promise.resolve();
    if (this.down !== null) throw new ApiError(this.down, 400, this.down);
    return work();
  }

  #events(): Pick<Backend["events"], "on"> {
    return {
      on: (name, handler) => {
        const set = this.#listeners.get(name) ?? new Set();
        this.#listeners.set(name, set.add(handler as Handler<EventName>));
        return () => set.delete(handler as Handler<EventName>);
      },
    };
  }

  /**
   * The Markdown history as the server writes it: a thousand revisions with their renames, and a note about the others.
   */
  #markdownHistory(before = Infinity): string {
    const newest = Math.min(this.latest, before - 1);
    const oldest = Math.max(this.oldest, newest - 999);
    const lines = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => {
      const number = newest - at;
      const isRename = this.renames.some((rename) => rename.revision === number);
      return `- [Revision ${number}](/p?rev=${number}), by Aya\n${isRename ? "  - The page was renamed.\n    - /a → [/b](/b)\n" : ""}`;
    });
    const isCut = lines.length > 0 && oldest > this.oldest;
    const removed = this.oldest > 1 ? `Revisions 1 to ${this.oldest - 1} were removed.\n` : "";
    const foot = isCut ? `Revisions ${this.oldest} to ${oldest - 1} are older, and not listed here.\n` : removed;
    return `# History of /p\n\n${lines.join("")}${foot && lines.length > 0 ? "\n" : ""}${foot}`;
  }

  #diff(from: number, to: number): PageDiff {
    const line = (kind: "removed" | "added", text: string, number: number) => ({
      kind,
      old: kind === "removed" ? number : null,
      new: kind === "added" ? number : null,
      spans: [
        { text: "the ", changed: false },
        { text, changed: true },
      ],
      end: "lf" as const,
    });
    const hunks = Array.from({ length: this.equal ? 0 : this.hunks }, (_, at) => {
      const start = 1 + 2 * at;
      const lines = [line("removed", `text of ${from}`, start), line("added", `text of ${to}`, start)];
      return { old_start: start, old_lines: 1, new_start: start, new_lines: 1, lines };
    });
    const counts = { added: hunks.length, removed: hunks.length, approximate: false, truncated: false };
    return { from: revision(from), to: revision(to), rename: this.renames, hunks, ...counts };
  }
}
