// A server for the tests of the views: pages, locks and autosave entries in memory, by the rules of docs/spec/wiki.md,
// Editing.
import type { AddedFile, AutosaveBody, AutosaveEntry, Backlink, PageLink, PageMeta } from "../api/backend";
import type { ErrorDetails } from "../api/errors";
import type { DeletedPage, MovedLink } from "../api/moves";
import type { SearchAnswer } from "../api/search";
import { Describer } from "./describer";
import { childrenOf } from "./fake-children";
import { fakeAsset, freeName, lastName } from "./fake-assets";
import { fail, Server } from "./server";

interface StoredPage {
  id: string;
  path: string;
  /** null while it is a draft. */
  source: { text: string; revision: number; amends: number; author: string } | null;
  token: string | null;
}

export class FakeServer extends Server {
  readonly describer = new Describer(this);
  readonly pages: StoredPage[] = [];
  readonly entries: AutosaveEntry[] = [];
  /** Older texts, by page and revision. */
  readonly past = new Map<string, string>();
  /** The files of each page, by its id. */
  readonly files = new Map<string, string[]>();
  /** The outcomes of files that the user chose, by their grants. */
  readonly granted = new Map<string, () => AddedFile>();
  /** The times at which files were added, by their names; by default half an hour after the revisions. */
  readonly fileTimes = new Map<string, string>();
  /** Files that were deleted individually, as "page/name". */
  readonly deletedFiles: string[] = [];
  /** The files that were deleted along with a page, by its id. */
  readonly trashedFiles = new Map<string, string[]>();
  /** The link changes that a restore and a save return. */
  readonly changedLinks: MovedLink[] = [];
  /** The tabs' saves, by page and tab: earlier texts are refused. */
  readonly #saved = new Map<string, number>();
  /** The digests of the texts that the authors of saves have read. */
  readonly reads: (string | null)[] = [];
  /** True to emit events about locks. */
  emitsLockEvents = false;
  me = "Aya";
  /** The holder of the locks. */
  holder = "Ben";
  /** The requested paths and ids, in order. */
  readonly requests: string[] = [];
  /** The answer for every page. */
  backlinks: Backlink[] = [];
  /** The answer for every page. */
  links: PageLink[] = [];
  /** The linked pages in the metadata of every page. */
  linkedPages: Backlink[] = [];
  /** The properties of every page. */
  properties: PageMeta["properties"] = { items: [], fault: null };
  /** The answer for every page. */
  mentions: SearchAnswer<"page"> = { items: [], total: 0, anchor: null, partial: null };
  /** The pages in the trash. */
  readonly inTrash: DeletedPage[] = [];
  #count = 0;

  constructor() {
    super();
    this.#answerPages();
    this.#answerSources();
    this.#answerLocks();
    this.#answerAutosave();
    this.#answerAssets();
    this.on("GET /api/albums", () => []);
    this.on("GET /api/users/me", () => ({ id: "user", name: this.me, created_at: "2026-11-20T09:00:00Z" }));
  }

  /** Adds an existing page. */
  add(path: string, text: string, author = "Aya"): StoredPage {
    const page = { id: this.#next("page"), path, source: { text, revision: 1, amends: 0, author }, token: null };
    this.pages.push(page);
    return page;
  }

  /** Saves as another user, ignoring every lock. */
  overwrite(page: StoredPage, text: string, author: string): void {
    this.#storeRevision(page);
    page.source = { text, revision: (page.source?.revision ?? 0) + 1, amends: 0, author };
  }

  /** Overwrites the newest revision as its author, from another tab. */
  amend(page: StoredPage, text: string): void {
    const source = page.source ?? fail("draft");
    page.source = { ...source, text, amends: source.amends + 1 };
  }

  /** Expires the lock; a draft ends with it. */
  expire(page: StoredPage): void {
    page.token = null;
    this.#emitUnlocked(page);
    if (page.source === null) this.pages.splice(this.pages.indexOf(page), 1);
  }

  at(path: string): StoredPage | undefined {
    return this.pages.find((page) => page.path === path);
  }

  #answerPages(): void {
    this.on("GET /api/pages/resolve", ({ query: { path = "" } }) => {
      this.requests.push(path);
      const page = this.at(path) ?? fail("page_not_found");
      return { id: page.id, revision: (page.source ?? fail("draft", this.#ownDraft(page))).revision };
    });
    this.on("POST /api/pages", ({ query: { path = "" } }) => {
      const existing = this.at(path);
      if (existing) fail("path_taken", existing.source === null ? this.#ownDraft(existing) : {});
      const page: StoredPage = { id: this.#next("page"), path, source: null, token: null };
      this.pages.push(page);
      return Response.json({ id: page.id }, { status: 201, headers: this.#lock(page) });
    });
    this.on("GET /api/pages/{page_id}/meta", ({ path: { page_id }, query }) => this.#meta(page_id, query.rev));
    this.on("GET /api/pages/{page_id}/links", () => this.links);
    this.on("GET /api/pages/{page_id}/backlinks", ({ query: { after, limit = "50" } }) => {
      const from = this.backlinks.findIndex(({ page_id }) => page_id === after) + 1;
      return this.backlinks.slice(from, from + Number(limit));
    });
    this.on("GET /api/pages/{page_id}/mentions", () => this.mentions);
    this.on("GET /api/pages/children", ({ query: { path = "/" } }) => {
      const known = this.pages.flatMap(({ id, path, source }) => (source === null ? [] : [{ id, path, title: /^# (.*)/.exec(source.text)?.[1] ?? null }]));
      return { items: childrenOf(known, path), has_more: false };
    });
    this.on("GET /api/pages/deleted", ({ query }) => this.inTrash.filter(({ path }) => path === query.path));
    this.on("POST /api/pages/{page_id}/path", ({ path: { page_id: id }, query }) => {
      const at = this.inTrash.findIndex(({ page_id }) => page_id === id);
      if (at < 0) fail("not_deleted");
      this.inTrash.splice(at, 1);
      this.add(query.restore_to ?? "", `restored ${id}`);
      return { revision: 1, warnings: this.changedLinks };
    });
  }

  #meta(id: string, rev: string | undefined): PageMeta {
    const { path, token, source } = this.#page(id);
    const { author, revision } = source ?? fail("draft");
    return {
      page_info: {
        path: { kind: "current", value: path },
        revision_scope: { latest: revision, oldest: 1 },
        rename_revisions: [1],
        deleted: false,
        locked: token !== null,
        draft: false,
      },
      revision_info: { revision: Number(rev ?? revision), timestamp: "2026-11-20T09:00:00Z", user_name: author, path },
      pictures: [],
      links: this.linkedPages,
      properties: this.properties,
    };
  }

  #answerSources(): void {
    this.on("GET /api/pages/{page_id}/source", ({ path: { page_id: id }, query }) => {
      const newest = this.#page(id).source ?? fail("draft");
      const revision = Number(query.rev ?? newest.revision);
      const text = revision === newest.revision ? newest.text : (this.past.get(`${id} ${revision}`) ?? fail("gone"));
      const headers = new Headers({ ETag: etagOf(revision === newest.revision ? newest : { revision, amends: 0 }), "X-Page-Revision": `${revision}` });
      if (this.trashedFiles.has(id)) headers.set("X-Page-Deleted", "true");
      return new Response(text, { headers });
    });
    this.on("PUT /api/pages/{page_id}/source", ({ path: { page_id: id }, query: { tab, amend, keep_lock }, headers, body: text }) => {
      const page = this.#page(id);
      if (page.source?.text !== text) {
        const based = headers.get("If-Match");
        if (based === null || page.token !== null) this.#check(page, tokenOf(headers));
        else if (page.source === null || !based.startsWith(`"${page.source.revision}.${page.source.amends}-`)) fail("precondition_failed");
        if (amend === "true") this.amend(page, text);
        else this.overwrite(page, text, this.me);
      }
      const source = page.source ?? fail("draft");
      if (keep_lock !== "true") {
        page.token = null;
        this.#emitUnlocked(page);
      }
      this.#forget((entry) => entry.page_id === id && entry.tab === tab);
      if (tab !== undefined) this.#saved.set(`${id} ${tab}`, source.revision);
      this.reads.push(headers.get("X-Page-Read"));
      return Response.json({ revision: source.revision, warnings: this.changedLinks, as_sent: true }, { headers: { ETag: etagOf(source) } });
    });
  }

  #answerLocks(): void {
    this.on("POST /api/pages/{page_id}/lock", ({ path, query }) => {
      const page = this.#page(path.page_id);
      if (page.token !== null && !(query.take_over === "true" && this.holder === this.me)) fail("locked", { userName: this.holder });
      return new Response(null, { status: 204, headers: this.#lock(page) });
    });
    this.on("PUT /api/pages/{page_id}/lock", ({ path, headers }) => {
      const page = this.#check(this.#page(path.page_id), tokenOf(headers));
      return new Response(null, { status: 204, headers: this.#lock(page) });
    });
    this.on("GET /api/pages/{page_id}/lock", ({ path }) => ({ locked: this.#page(path.page_id).token !== null, user_name: this.me }));
    this.on("DELETE /api/pages/{page_id}/lock", ({ path, headers }) => this.expire(this.#check(this.#page(path.page_id), tokenOf(headers))));
    this.on("POST /api/pages/{page_id}/lock/release", ({ path, body }) => this.expire(this.#check(this.#page(path.page_id), body)));
  }

  #answerAutosave(): void {
    this.on("PUT /api/journal/{page_id}", ({ path, query, body }) => this.#keep(path.page_id, query.tab ?? "", body));
    this.on("GET /api/journals", ({ query }) => this.entries.filter(({ path }) => query.path === undefined || path === query.path).map(listed));
    this.on("GET /api/journals/{journal_id}", ({ path }) => this.entries.find(({ id }) => id === path.journal_id) ?? fail("not_found"));
    this.on("DELETE /api/journals/{journal_id}", ({ path, query: { seq } }) => {
      const stored = this.entries.find(({ id }) => id === path.journal_id);
      if (stored !== undefined && seq !== undefined && Number(seq) < stored.seq) fail("stale_sequence", { seq: stored.seq });
      this.#forget(({ id }) => id === path.journal_id);
    });
  }

  #answerAssets(): void {
    const pageOf = (name: string) => [...this.files.keys(), ...this.deletedFiles.map((file) => file.split("/")[0] ?? "")].find((id) => this.#holds(id, name)) ?? fail("asset_not_found");
    const of = (id: string) => this.files.get(id) ?? [];
    this.on("GET /api/pages/{page_id}/assets", ({ path: { page_id: id } }) => {
      const trashed = (this.trashedFiles.get(id) ?? []).map((name) => fakeAsset(name, { page_id: id, state: "deleted_with_page" }));
      const live = of(this.#page(id).id).map((name) => fakeAsset(name, { page_id: id, created_at: this.fileTimes.get(name) ?? "2026-11-20T09:30:00Z" }));
      return [...live, ...trashed];
    });
    this.on("DELETE /api/assets/{asset_id}", ({ path }) => {
      const name = path.asset_id.replace("asset of ", "");
      const id = pageOf(name);
      this.files.set(id, of(id).filter((other) => other !== name));
      this.deletedFiles.push(`${id}/${name}`);
    });
    this.on("POST /api/assets/{asset_id}/restore", ({ path }) => {
      const name = path.asset_id.replace("asset of ", "");
      const id = pageOf(name);
      if (!this.deletedFiles.includes(`${id}/${name}`)) fail("not_deleted");
      this.deletedFiles.splice(this.deletedFiles.indexOf(`${id}/${name}`), 1);
      this.files.set(id, [...of(id), name]);
    });
    this.on("POST /api/pages/{page_id}/assets/{file_name}", ({ path }) => fakeAsset(this.#addFile(path.page_id, path.file_name)));
    this.on("POST /api/pages/{page_id}/assets", ({ path: { page_id }, body }) => {
      if (body.grants) return body.grants.flatMap((grant) => this.granted.get(grant)?.() ?? []);
      return (body.items ?? []).map((item) => {
        const name = lastName(item);
        return { name, asset: fakeAsset(this.#addFile(page_id, name), { page_id, mime: "image/jpeg" }), error: null };
      });
    });
  }

  #holds(id: string, name: string): boolean {
    return (this.files.get(id) ?? []).includes(name) || this.deletedFiles.includes(`${id}/${name}`);
  }

  /** Adds a file; returns its name. */
  #addFile(id: string, wanted: string): string {
    const files = this.files.get(this.#page(id).id) ?? [];
    const name = freeName(wanted, (candidate) => files.includes(candidate));
    this.files.set(id, [...files, name]);
    return name;
  }

  #storeRevision({ id, source }: StoredPage): void {
    if (source !== null) this.past.set(`${id} ${source.revision}`, source.text);
  }

  #keep(page_id: string, tab: string, body: AutosaveBody): void {
    const stored = this.entries.find((entry) => entry.page_id === page_id && entry.tab === tab);
    const revision = this.#saved.get(`${page_id} ${tab}`) ?? 0;
    if ((body.base_revision ?? 0) < revision) fail("stale_sequence", { revision });
    if (stored !== undefined && body.seq < stored.seq) fail("stale_sequence", { seq: stored.seq });
    const { source } = body;
    const facts = { size: source.length, beginning: source.slice(0, 200), updated_at: "2026-11-20T09:00:00Z" };
    const entry = { ...body, ...facts, page_id, tab, page_exists: true };
    if (stored !== undefined) Object.assign(stored, entry);
    else this.entries.push({ id: this.#next("entry"), ...entry });
  }

  #forget(which: (entry: AutosaveEntry) => boolean): void {
    this.entries.splice(0, Infinity, ...this.entries.filter((entry) => !which(entry)));
  }

  #ownDraft(page: StoredPage): ErrorDetails {
    return this.holder === this.me ? { userName: this.holder, pageId: page.id } : { userName: this.holder };
  }

  /** Locks a page; returns the header with the lock. */
  #lock(page: StoredPage): { "X-Page-Lock": string } {
    page.token = this.#next("token");
    const expire = new Date(Date.now() + 300_000).toISOString();
    if (this.emitsLockEvents) this.emit("page.locked", { page_id: page.id, user_name: this.holder, expire });
    return { "X-Page-Lock": `expire=${expire} token=${page.token}` };
  }

  #emitUnlocked({ id }: StoredPage): void {
    if (this.emitsLockEvents) this.emit("page.unlocked", { page_id: id });
  }

  #check(page: StoredPage, token: string): StoredPage {
    return page.token === token ? page : fail("lock_invalid");
  }

  #page(id: string): StoredPage {
    return this.pages.find((page) => page.id === id) ?? fail("not_found");
  }

  #next(kind: string): string {
    return `${kind}-${++this.#count}`;
  }
}

/** A long text is not in the list. */
function listed(entry: AutosaveEntry): AutosaveEntry {
  return entry.size > 65_536 ? { ...entry, source: null } : entry;
}

function tokenOf(headers: Headers): string {
  return (headers.get("X-Lock-Authentication") ?? "").replace("token=", "");
}

/** The part of an ETag after the hyphen may change without a save, as the server's does. */
let served = 0;
function etagOf({ revision, amends }: Pick<NonNullable<StoredPage["source"]>, "revision" | "amends">): string {
  served += 1;
  return `"${revision}.${amends}-${served}"`;
}
