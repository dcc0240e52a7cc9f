// A page with a history, and a trash, for the tests of the views that show them.
import type { PageDiff, PageMeta, Revision } from "../api/backend";
import type { DeletedPage, MovedLink } from "../api/moves";
import { fakeAsset } from "./fake-assets";
import { Server } from "./server";

const TIME = "2026-11-20T09:00:00Z";

export function revision(number: number, rename: Revision["rename_info"] = null): Revision {
  return { revision: number, timestamp: TIME, user_name: "Aya", path: "/p", rename_info: rename, bytes: number * 10 };
}

export function deleted(path: string, deletion = path): DeletedPage {
  return { page_id: `id${path}`, path, deletion, deleted_at: TIME, user_name: "Ben", revision: 3, along: 0, cursor: `c${path}` };
}

export class FakeHistory extends Server {
  latest = 3;
  oldest = 1;
  renames: Revision[] = [];
  equal = false;
  /** The number of differences between two revisions, on every second line. */
  hunks = 1;
  inTrash: DeletedPage[] = [];
  subpages = 0;
  warnings: MovedLink[] = [];
  /** The path of the page, if it is not in the trash. */
  currentPath: string | null = null;

  constructor() {
    super();
    this.#answerRevisions();
    this.#answerMoves();
    this.on("GET /api/pages/resolve", () => ({ id: "P", revision: this.latest }));
    this.on("GET /api/pages/{page_id}/source", () => new Response("one\ntwo\nthree\n", { headers: { "X-Page-Revision": `${this.latest}` } }));
    this.on("GET /api/pages/{page_id}/meta", () => ({ page_info: this.#pageInfo(), pictures: [], links: [], properties: { items: [], fault: null } }));
    this.on("GET /api/pages/search", () => ["/", "/travel", "/p"].map((path) => ({ page_id: path, path, path_spans: [], title_spans: [], score: 1 })));
    this.on("GET /api/pages/{page_id}/assets", () => [fakeAsset("a.png"), fakeAsset("b.png")]);
  }

  #answerRevisions(): void {
    this.on("GET /api/pages/{page_id}/revisions", ({ query }) => {
      const top = Math.min(this.latest, Number(query.before ?? Infinity) - 1);
      const count = Math.max(0, Math.min(Number(query.limit ?? 50), top - this.oldest + 1));
      const items = Array.from({ length: count }, (_, at) => revision(top - at));
      return { items, has_more: top - count >= this.oldest, oldest: this.oldest };
    });
    this.on("GET /api/pages/{page_id}/diff", ({ query }) => this.#diff(Number(query.from), Number(query.to)));
    this.on("POST /api/pages/{page_id}/revision", ({ query }) => {
      if (query.keep_from !== undefined) return void (this.oldest = Number(query.keep_from));
      return { revision: ++this.latest, warnings: [] };
    });
    this.on("GET /api/pages/{page_id}/history", ({ query }) => this.#markdownHistory(Number(query.before ?? Infinity)));
  }

  #answerMoves(): void {
    this.on("POST /api/pages/{page_id}/path", () => ({ revision: 4, pages: 1 + this.subpages, warnings: this.warnings }));
    this.on("DELETE /api/pages/{page_id}", () => undefined);
    this.on("GET /api/pages/deleted", ({ query: { path, after, limit = "50" } }) => {
      if (path !== undefined) return this.inTrash.filter((page) => page.path === path);
      const start = after === undefined ? 0 : this.inTrash.findIndex(({ cursor }) => cursor === after) + 1;
      return this.inTrash.slice(start, start + Number(limit));
    });
    this.on("GET /api/pages/children", () => ({ items: [{ name: "all", path: "/p/all", page_id: null, pages: this.subpages }], has_more: false }));
    this.on("GET /api/pages/{page_id}/parent", () => ({ page_id: "root", path: "/" }));
  }

  #pageInfo(): PageMeta["page_info"] {
    const deleted = this.currentPath === null && this.inTrash.length > 0;
    return {
      path: { kind: deleted ? "last_deleted" : "current", value: this.currentPath ?? this.inTrash[0]?.path ?? "/p" },
      revision_scope: { latest: this.latest, oldest: this.oldest },
      rename_revisions: [],
      deleted,
      draft: false,
      locked: false,
    };
  }

  /**
   * The Markdown history as the server writes it: a thousand revisions with their renames, and a note about the others.
   */
  #markdownHistory(before: number): string {
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
