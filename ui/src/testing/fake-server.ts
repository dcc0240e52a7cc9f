// A server for the tests of the views: pages, locks and autosave entries in memory, by the rules of docs/spec/wiki.md,
// Editing.
import type { AddedFile, Backend, Backlink, AutosaveBody, AutosaveEntry, PageLink, PageLock } from "../api/backend";
import type { DeletedPage, MovedLink } from "../api/moves";
import { ApiError, type ApiErrorCode, type ErrorDetails } from "../api/errors";
import type { ConnectionHandler, EventMap, EventName, Handler } from "../api/events";
import { readableSegment } from "../api/names";
import type { SearchAnswer } from "../api/search";
import { childrenOf } from "./fake-children";
import { fakeAsset, freeName } from "./fake-assets";
import { FakeVision } from "./fake-vision";
import { partialBackend } from "./partial-backend";

interface StoredPage {
  id: string;
  path: string;
  /** null while it is a draft. */
  source: { text: string; revision: number; amends: number; author: string } | null;
  token: string | null;
}

export class FakeServer {
  readonly vision = new FakeVision();
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
  /** While set, every call fails with it. */
  down: ApiErrorCode | null = null;
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
  /** The answer for every page. */
  mentions: SearchAnswer<"page"> = { items: [], total: 0, anchor: null, partial: null };
  /** The pages in the trash. */
  readonly inTrash: DeletedPage[] = [];
  readonly #connections = new Set<ConnectionHandler>();
  readonly #listeners = new Map<EventName, Set<Handler<EventName>>>();
  #count = 0;

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

  backend(): Backend {
    const parts = { assets: this.#assets(), pages: this.#pages(), locks: this.#locks(), autosave: this.#autosave(), users: this.#users(), moves: this.#moves() };
    const search = { mentions: () => this.#answer(() => this.mentions) };
    return partialBackend({ ...parts, search, vision: this.vision, events: this.#events(), desktop: null });
  }

  /** Notifies every listener. */
  emit<K extends EventName>(name: K, data: EventMap[K]): void {
    for (const handler of this.#listeners.get(name) ?? []) handler(data);
  }

  /** Opens the stream of events. */
  connect(): void {
    for (const handler of this.#connections) handler(true);
  }

  #events(): Backend["events"] {
    return {
      onConnection: (handler) => {
        this.#connections.add(handler);
        return () => this.#connections.delete(handler);
      },
      on: (name, handler) => {
        const set = this.#listeners.get(name) ?? new Set();
        this.#listeners.set(name, set.add(handler as Handler<EventName>));
        return () => set.delete(handler as Handler<EventName>);
      },
    };
  }

  #pages(): Pick<Backend["pages"], "resolve" | "create" | "source" | "meta" | "save" | "links" | "backlinks"> {
    return {
      resolve: (path) =>
        this.#answer(() => {
          this.requests.push(path);
          const page = this.at(path) ?? fail("page_not_found");
          return { id: page.id, revision: (page.source ?? fail("draft", this.#ownDraft(page))).revision };
        }),
      create: (path) =>
        this.#answer(() => {
          const existing = this.at(path);
          if (existing) fail("path_taken", existing.source === null ? this.#ownDraft(existing) : {});
          const page: StoredPage = { id: this.#next("page"), path, source: null, token: null };
          this.pages.push(page);
          return { id: page.id, lock: this.#lock(page) };
        }),
      source: (id, number) =>
        this.#answer(() => {
          const newest = this.#page(id).source ?? fail("draft");
          const revision = number ?? newest.revision;
          const text = revision === newest.revision ? newest.text : (this.past.get(`${id} ${revision}`) ?? fail("gone"));
          const etag = etagOf(revision === newest.revision ? newest : { revision, amends: 0 });
          return { text, revision, etag, deleted: this.trashedFiles.has(id) };
        }),
      meta: (id, number) =>
        this.#answer(() => {
          const { author, revision } = this.#page(id).source ?? fail("draft");
          const { token } = this.#page(id);
          return {
            page_info: {
              path: { kind: "current", value: this.#page(id).path },
              revision_scope: { latest: revision, oldest: 1 },
              rename_revisions: [1],
              deleted: false,
              locked: token !== null,
              draft: false,
            },
            revision_info: { revision: number ?? revision, timestamp: "2026-11-20T09:00:00Z", user_name: author, path: this.#page(id).path },
            pictures: [],
            links: this.linkedPages,
          };
        }),
      links: () => this.#answer(() => this.links),
      backlinks: (_id, { after, limit = 50 } = {}) =>
        this.#answer(() => {
          const from = this.backlinks.findIndex(({ page_id }) => page_id === after) + 1;
          return this.backlinks.slice(from, from + limit);
        }),
      save: (id, text, { token, tab, amend, keepLock = false, read = null }) =>
        this.#answer(() => {
          const page = this.#page(id);
          if (page.source?.text !== text) {
            this.#check(page, token ?? "");
            if (amend) this.amend(page, text);
            else this.overwrite(page, text, this.me);
          }
          const source = page.source ?? fail("draft");
          if (!keepLock) {
            page.token = null;
            this.#emitUnlocked(page);
          }
          this.#forget((entry) => entry.page_id === id && entry.tab === tab);
          if (tab !== undefined) this.#saved.set(`${id} ${tab}`, source.revision);
          this.reads.push(read);
          return { revision: source.revision, warnings: this.changedLinks, as_sent: true, etag: etagOf(source) };
        }),
    };
  }

  #moves(): Pick<Backend["moves"], "deletedAt" | "children" | "restore"> {
    return {
      deletedAt: (path) => this.#answer(() => this.inTrash.filter((page) => page.path === path)),
      children: (path) =>
        this.#answer(() => {
          const known = this.pages.flatMap(({ id, path, source }) => (source === null ? [] : [{ id, path, title: /^# (.*)/.exec(source.text)?.[1] ?? null }]));
          return childrenOf(known, path);
        }),
      restore: (id, { to }) =>
        this.#answer(() => {
          const at = this.inTrash.findIndex(({ page_id }) => page_id === id);
          const [page] = at < 0 ? [] : this.inTrash.splice(at, 1);
          if (page === undefined) fail("not_deleted");
          this.add(to, `restored ${id}`);
          return this.changedLinks;
        }),
    };
  }

  #locks(): Backend["locks"] {
    return {
      acquire: (id, takeOver = false) =>
        this.#answer(() => {
          const page = this.#page(id);
          const isFree = page.token === null || (takeOver && this.holder === this.me);
          return isFree ? this.#lock(page) : fail("locked", { userName: this.holder });
        }),
      renew: (id, token) => this.#answer(() => this.#lock(this.#check(this.#page(id), token))),
      status: (id) => this.#answer(() => ({ locked: this.#page(id).token !== null, user_name: this.me })),
      release: (id, token) => this.#answer(() => this.expire(this.#check(this.#page(id), token))),
      releaseOnClose: (id, token) => {
        this.expire(this.#check(this.#page(id), token));
        return true;
      },
    };
  }

  #autosave(): Backend["autosave"] {
    return {
      put: (page_id, tab, body) => this.#answer(() => this.#keep(page_id, tab, body)),
      list: (path) => this.#answer(() => this.entries.filter((entry) => path === null || entry.path === path).map(listed)),
      read: (id) => this.#answer(() => this.entries.find((entry) => entry.id === id) ?? fail("not_found")),
      remove: (id, seq) =>
        this.#answer(() => {
          const stored = this.entries.find((entry) => entry.id === id);
          if (stored !== undefined && seq !== undefined && seq < stored.seq) fail("stale_sequence", { seq: stored.seq });
          this.#forget((entry) => entry.id === id);
        }),
    };
  }

  #assets(): Pick<Backend["assets"], "list" | "upload" | "addFromFiles" | "addFiles" | "contentsUrl" | "remove" | "restore"> {
    const pageOf = (name: string) => [...this.files.keys(), ...this.deletedFiles.map((file) => file.split("/")[0] ?? "")].find((id) => this.#holds(id, name)) ?? fail("asset_not_found");
    const of = (id: string) => this.files.get(id) ?? [];
    return {
      list: (id) =>
        this.#answer(() => {
          const trashed = (this.trashedFiles.get(id) ?? []).map((name) => fakeAsset(name, { page_id: id, state: "deleted_with_page" }));
          const live = of(this.#page(id).id).map((name) => fakeAsset(name, { page_id: id, created_at: this.fileTimes.get(name) ?? "2026-11-20T09:30:00Z" }));
          return [...live, ...trashed];
        }),
      remove: (asset) =>
        this.#answer(() => {
          const name = asset.replace("asset of ", "");
          const id = pageOf(name);
          this.files.set(id, of(id).filter((other) => other !== name));
          this.deletedFiles.push(`${id}/${name}`);
        }),
      restore: (asset) =>
        this.#answer(() => {
          const name = asset.replace("asset of ", "");
          const id = pageOf(name);
          if (!this.deletedFiles.includes(`${id}/${name}`)) fail("not_deleted");
          this.deletedFiles.splice(this.deletedFiles.indexOf(`${id}/${name}`), 1);
          this.files.set(id, [...of(id), name]);
        }),
      contentsUrl: (id) => `/contents/${id}`,
      addFiles: (_page, grants) => this.#answer(() => grants.flatMap((grant) => this.granted.get(grant)?.() ?? [])),
      upload: (id, wanted) => this.#answer(() => this.#addFile(id, wanted)),
      addFromFiles: (id, items) =>
        this.#answer(() =>
          items.map(({ path }) => {
            const name = readableSegment(path.slice(path.lastIndexOf("/") + 1));
            const asset = fakeAsset(this.#addFile(id, name), { page_id: id, mime: "image/jpeg" });
            return { name, asset, error: null };
          }),
        ),
    };
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

  #users(): Pick<Backend["users"], "me"> {
    return { me: () => this.#answer(() => ({ id: "user", name: this.me, created_at: "2026-11-20T09:00:00Z" })) };
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

  #lock(page: StoredPage): PageLock {
    page.token = this.#next("token");
    const expire = new Date(Date.now() + 300_000).toISOString();
    if (this.emitsLockEvents) this.emit("page.locked", { page_id: page.id, user_name: this.holder, expire });
    return { token: page.token, expire };
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

  async #answer<T>(work: () => T): Promise<T> {
    await Promise.resolve();
    return this.down === null ? work() : fail(this.down);
  }

  #next(kind: string): string {
    return `${kind}-${++this.#count}`;
  }
}

/** A long text is not in the list. */
function listed(entry: AutosaveEntry): AutosaveEntry {
  return entry.size > 65_536 ? { ...entry, source: null } : entry;
}

function fail(code: ApiErrorCode, details: ErrorDetails = {}): never {
  throw new ApiError(code, code === "unreachable" ? 0 : 400, code, details);
}

/** The part of an ETag after the hyphen may change without a save, as the server's does. */
let served = 0;
function etagOf({ revision, amends }: Pick<NonNullable<StoredPage["source"]>, "revision" | "amends">): string {
  served += 1;
  return `"${revision}.${amends}-${served}"`;
}
