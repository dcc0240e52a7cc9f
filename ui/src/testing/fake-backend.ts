// A backend in memory for the tests of the frame and of the folders.
import { type Mock, vi } from "vitest";
import type { Backend, CacheState, DesktopApi, FileConflict, FileOperation, FilesDone, FilesMarked, FolderEntry, FolderSize, FolderWatching, FoundPage, Job, AutosaveEntry, KnownTag, MarksChange, MirrorState, PageListItem, PageWithPicture, PictureInfo, PictureOverview, Root, Settings, TreeView, User, VisitedFolder, VisitedPage } from "../api/backend";
import { ApiError } from "../api/errors";
import { encodeName, encodePathFields } from "../api/names";
import type { components } from "../api/schema";
import type { SearchAnswer, SearchKind } from "../api/search";
import type { Session } from "../api/sessions";
import type { AccessToken } from "../api/tokens";
import { combined, NO_TURN, turnOf } from "../folders/entries/turns";
import { statedDate } from "../folders/marks/dates";
import { applyChange } from "../folders/marks/marks";
import { fold } from "../i18n/fold";
import { Describer } from "./describer";
import { childrenOf } from "./fake-children";
import { Expiry } from "./expiry";
import { folderPart } from "./folder-part";
import { HashRecords } from "./hash-records";
import { fail, Server } from "./server";

/** The state without a mirror. */
export const NO_MIRROR: MirrorState = { folder: null, is_on: false, updated_at: null, written_at: null, failure: null, failure_message: null, pages: 0, files: 0, outside: [], truncated: false };

export const AYA: User = { id: "U1", name: "Aya", created_at: "2026-11-01T00:00:00Z" };

export class FakeBackend extends Server implements Backend {
  user: User | null = AYA;
  settingsNow: Settings = {
    language: "en",
    theme: "light",
    text_size: "normal",
    reading_width: "normal",
    side_panel: { open: true, width: 248 },
    right_panel: { open: true, width: 264 },
    preview: { open: true, width: null },
    editor_toolbar: true,
    daily_backups: true,
    folder_records_in_backups: false,
    spelling: { enabled: true, languages: [] },
    templates: { daily_path: "/daily/{{date:YYYY-MM-DD}}", daily_template: null, folders: [] },
    thumbnail_size: 160,
    picture_order: { sort: "name", order: "asc" },
    picture_grouping: "none",
    picture_layout: "grid",
    picture_columns: ["taken", "pixels", "size", "rating"],
    target_folders: { recent: [], favourites: [] },
    join_picture_files: true,
    shortcuts: {},
  };
  cacheNow: CacheState = {
    used_bytes: 0,
    files: 0,
    limit_bytes: 2 ** 30,
    folder: "/cache/thumbs",
    next_folder: null,
    folder_fixed: false,
    limit_fixed: false,
    high: 0.9,
    low: 0.75,
    scanning: false,
    queue: { len: 0, capacity: 1024, workers: 1 },
    counters: { hits: 0, misses: 0, generated: 0, failed: 0, evicted: 0 },
  };
  sessionsNow: Session[] = [];
  tokensNow: AccessToken[] = [];
  pagesNow: PageListItem[] = [];
  /** Unsaved texts. */
  entriesNow: AutosaveEntry[] = [];
  visited: VisitedPage[] = [];
  /** The ids of pinned pages. */
  pinned: string[] = [];
  treeNow: TreeView = { sort: "title", open: [], scroll: 0 };
  visitedFolders: VisitedFolder[] = [];
  rootsNow: Root[] = [];
  entries: FolderEntry[] = [];
  sizeNow: FolderSize = { files: 0 };
  coversNow: FolderEntry[] = [];
  /** The number of pictures in each folder, by its path. */
  countsNow: Record<string, number> = {};
  overviewNow: PictureOverview = { roots: [], years: [], added: [], partial: null };
  unread = 0;
  /** True while the folder is still being listed. */
  growing = false;
  /** The id of the folder's listing that the answers belong to. */
  reading = "1";
  infoOf = (path: string): PictureInfo => ({
    id: `id-${path}`,
    mime: "image/jpeg",
    size: 1_000,
    mtime: "2026-11-20T00:00:00Z",
    is_incomplete: false,
    camera: {},
    exposure: {},
    notes: [],
  });
  watching: FolderWatching = "events";
  jobsNow: Job[] = [];
  /** The answer to every operation on files; an error rejects it. */
  filesDone: FilesDone | ApiError = { operation: "O1", done: 1, skipped: 0, failed: [] };
  conflictsNow: { count: number; conflicts: FileConflict[] } = { count: 0, conflicts: [] };
  operationsNow: FileOperation[] = [];
  tagsNow: KnownTag[] = [];
  /** The places of the marks of every picture. */
  originsNow: components["schemas"]["MarkOrigins"] = {};
  /** The pages that have any requested picture. */
  pagesWithPicture: PageWithPicture[] = [];
  /** The answers of a search for each kind, by its words and options. */
  readonly finds: { [K in SearchKind]: Find<K> } = { page: findNothing(), picture: findNothing(), file: findNothing(), record: findNothing() };
  readonly hashRecords = new HashRecords(this);
  readonly expiry = new Expiry(this);
  readonly describer = new Describer(this);

  readonly users = this.backend.users;
  readonly settings = this.backend.settings;
  readonly sessions = this.backend.sessions;
  readonly tokens = this.backend.tokens;
  readonly pages = this.backend.pages;
  readonly locks = this.backend.locks;
  readonly revisions = this.backend.revisions;
  readonly moves = this.backend.moves;
  readonly assets = this.backend.assets;
  readonly autosave = this.backend.autosave;
  readonly jobs = this.backend.jobs;
  readonly archive = this.backend.archive;
  readonly backups = this.backend.backups;
  readonly mirror = this.backend.mirror;
  readonly imports = this.backend.imports;
  readonly importedTexts = this.backend.importedTexts;
  readonly cache = this.backend.cache;
  readonly albums = this.backend.albums;
  readonly duplicates = this.backend.duplicates;
  readonly ttl = this.backend.ttl;
  readonly roots = this.backend.roots;
  readonly folders = this.backend.folders;
  readonly files = this.backend.files;
  readonly hashes = this.backend.hashes;
  readonly search = this.backend.search;
  readonly vision = this.backend.vision;
  readonly events = this.backend.events;
  desktop: DesktopApi | null = null;

  constructor() {
    super();
    this.#answerFrame();
    this.#answerWiki();
    this.#answerJobsAndCache();
    this.#answerPictures();
    this.#answerFiles();
    this.#answerSearch();
  }

  #answerFrame(): void {
    this.on("POST /api/users", ({ body }) => (this.user = { ...AYA, name: body.name }));
    this.on("GET /api/users/me", () => this.user ?? fail("no_user"));
    this.on("PATCH /api/users/me", ({ body }) => (this.user = { ...AYA, name: body.name }));
    this.on("GET /api/users/me/visits", () => this.visited);
    this.on("POST /api/users/me/visits", () => undefined);
    this.on("GET /api/users/me/pins", () => this.pinned.flatMap((id) => this.pagesNow.find((page) => page.page_id === id && !page.deleted) ?? []));
    this.on("POST /api/users/me/pins", ({ query: { page_id = "" } }) => void this.pinned.push(page_id));
    this.on("DELETE /api/users/me/pins", ({ query }) => void (this.pinned = this.pinned.filter((id) => id !== query.page_id)));
    this.on("GET /api/users/me/tree", () => this.treeNow);
    this.on("PUT /api/users/me/tree", ({ body }) => void (this.treeNow = body));
    this.on("GET /api/users/me/folders", () => this.visitedFolders);
    this.on("POST /api/users/me/folders", () => undefined);
    this.on("DELETE /api/users/me/folders", () => undefined);
    this.on("GET /api/settings", () => this.settingsNow);
    this.on("GET /api/about", () => ({ version: "1.2.3", data_folder: "/home/aya/.local/share/fumikura" }));
    this.on("PATCH /api/settings", ({ body }) => (this.settingsNow = { ...this.settingsNow, ...(body as object) }));
    this.on("GET /api/sessions", () => ({ items: this.sessionsNow }));
    this.on("DELETE /api/sessions/{id}", ({ path }) => void (this.sessionsNow = this.sessionsNow.filter(({ id }) => id !== path.id)));
    this.on("DELETE /api/sessions", () => {
      const before = this.sessionsNow.length;
      this.sessionsNow = this.sessionsNow.filter(({ is_current, is_window }) => is_current || is_window);
      return { ended: before - this.sessionsNow.length };
    });
    this.on("DELETE /api/sessions/current", () => undefined);
    this.on("GET /api/tokens", () => ({ items: this.tokensNow }));
    this.on("POST /api/tokens", ({ body: { name, scopes } }) => {
      const about: AccessToken = { id: `T${this.tokensNow.length + 1}`, name, scopes, user_name: AYA.name, created_at: "2026-11-18T12:00:00Z", expires_at: "2026-12-18T12:00:00Z" };
      this.tokensNow = [about, ...this.tokensNow];
      return { token: "fumi_new", about };
    });
    this.on("DELETE /api/tokens/{id}", ({ path }) => void (this.tokensNow = this.tokensNow.filter(({ id }) => id !== path.id)));
  }

  #answerWiki(): void {
    this.on("GET /api/pages", () => ({ items: this.pagesNow, has_more: false }));
    this.on("GET /api/pages/search", ({ query }) => foundPages(this.pagesNow, query.q ?? "", Number(query.limit ?? 20)));
    this.on("GET /api/pages/resolve", ({ query }) => {
      const page = this.pagesNow.find(({ path }) => path === query.path) ?? fail("page_not_found");
      return { id: page.page_id, revision: 1, title: page.title ?? null };
    });
    // The pages have no texts, and there are no new ones.
    for (const endpoint of ["GET /api/pages/{page_id}/source", "GET /api/pages/{page_id}/meta", "POST /api/pages"] as const) this.on(endpoint, () => fail("not_found"));
    this.on("GET /api/pages/deleted", () => []);
    this.on("GET /api/pages/children", ({ query: { path = "/" } }) => {
      const known = this.pagesNow.filter(({ deleted }) => !deleted).map(({ page_id: id, path, title = null }) => ({ id, path, title }));
      return { items: childrenOf(known, path), has_more: false };
    });
    this.on("GET /api/pages/{page_id}/parent", () => ({ page_id: "root", path: "/" }));
    this.on("GET /api/journals", () => this.entriesNow);
  }

  #answerJobsAndCache(): void {
    this.on("GET /api/jobs", () => this.jobsNow);
    this.on("GET /api/jobs/{id}", ({ path }) => this.jobsNow.find(({ id }) => id === path.id) ?? fail("job_not_found"));
    this.on("GET /api/cache", () => this.cacheNow);
    this.on("POST /api/cache/gc", () => ({ id: "J1" }));
    this.on("PUT /api/cache/limit", ({ body }) => (this.cacheNow = { ...this.cacheNow, limit_bytes: body.limit_bytes }));
    this.on("PUT /api/cache/folder", ({ body }) => (this.cacheNow = { ...this.cacheNow, next_folder: `/chosen/${body.grant}` }));
    this.on("POST /api/cache/clear", () => ({ id: "J1" }));
  }

  #answerPictures(): void {
    this.on("GET /api/albums", () => []);
    this.on("GET /api/files/albums", () => []);
    this.on("GET /api/roots", () => this.rootsNow);
    this.on("POST /api/roots", ({ body }) => {
      if ("path" in body) fail("outside_roots");
      const root = { id: "R1", name: "Photos", path: "/home/aya/Photos", available: true };
      this.rootsNow = [...this.rootsNow, root];
      return root;
    });
    this.on("DELETE /api/roots/{root}", ({ path }) => void (this.rootsNow = this.rootsNow.filter(({ id }) => id !== path.root)));
    this.on("GET /api/folders", ({ query, encoded }) => ({
      root: query.root ?? "",
      path: encoded.path ?? "",
      listing: this.reading,
      unread: this.unread,
      ...(this.growing ? { growing: true } : {}),
      offset: Number(query.offset ?? 0),
      ...folderPart(this.entries, query),
    }));
    this.on("POST /api/folders", ({ body: { parent, name } }) => ({ root: parent.root, path: parent.path ? `${parent.path}/${name}` : name }));
    this.on("GET /api/folders/size", () => this.sizeNow);
    this.on("GET /api/folders/covers", () => this.coversNow);
    this.on("POST /api/folders/counts", ({ body: { items } }) => ({ counts: items.map(({ path }) => this.countsNow[path ?? ""] ?? null), partial: false }));
    this.on("GET /api/folders/overview", () => this.overviewNow);
    this.on("PUT /api/folders/watch", () => ({ watching: this.watching, renewed: false, seconds: 120 }));
    this.on("GET /api/image/info", ({ encoded }) => this.infoOf(encoded.path ?? ""));
    this.on("GET /thumb", () => new Response());
    this.on("GET /api/image", () => new Response());
    this.on("GET /api/image/embedded", () => new Response());
  }

  #answerFiles(): void {
    const done = () => {
      if (this.filesDone instanceof ApiError) throw this.filesDone;
      return this.filesDone;
    };
    this.on("POST /api/files/conflicts", () => this.conflictsNow);
    this.on("POST /api/files/rename", done);
    this.on("POST /api/files/move", done);
    this.on("POST /api/files/copy", done);
    this.on("POST /api/files/bin", done);
    this.on("POST /api/files/contact-sheet", ({ body }) => ({ name: body.name, pages: 1, has_text: true, failed: [] }));
    this.on("POST /api/files/export", ({ body }) => ({ exported: body.items.length, skipped: 0, failed: [] }));
    this.on("POST /api/files/operations/{id}/undo", done);
    this.on("POST /api/files/marks", ({ body }) => {
      const { rating, add_tags: add, remove_tags: remove, caption, caption_if_absent: keepsCaption, turn, crop, taken, taken_shift: shift } = body;
      return this.#mark(body.items, { rating, add, remove, caption, keepsCaption, turn, crop, taken, shift } as MarksChange);
    });
    this.on("GET /api/files/marks", ({ encoded }) => {
      const entry = this.entries.find((one) => encoded.path?.endsWith(encodeName(one)));
      return { rating: entry?.rating ?? null, tags: entry?.tags ?? [], caption: entry?.caption ?? null, orientation: entry ? statedOrientation(entry) : null, crop: entry?.crop ?? null, taken: entry ? statedDate(entry) : null, title: null, origins: this.originsNow };
    });
    this.on("GET /api/files/tags", () => ({ tags: this.tagsNow }));
    this.on("GET /api/files/operations", () => this.operationsNow);
    this.on("GET /api/files/pages", () => this.pagesWithPicture);
  }

  #answerSearch(): void {
    this.on("GET /api/search", ({ query: { q = "", kind = "page", ...options } }) => this.finds[kind as SearchKind](q, options));
    this.on("GET /api/pages/{page_id}/mentions", () => ({ items: [], total: 0, anchor: null, partial: null }));
    this.on("GET /api/search/folders", () => []);
    this.on("GET /api/tags", () => []);
    this.on("GET /api/properties", () => []);
    this.on("GET /api/imports", () => ({ items: [] }));
    this.on("GET /api/imported-texts", () => ({ items: [] }));
    this.on("GET /api/mirror", () => NO_MIRROR);
    this.on("GET /api/backups", () => ({ folder: "/data/backups", last_proved: null, backups: [], pending: null, place: null }));
    this.on("GET /api/tasks", () => ({ items: [], total: 0, tags: [] }));
    this.on("POST /api/pages/query", () => {
      const items = this.pagesNow.map(({ page_id, path, title = null, last_update: { timestamp, user_name } }) => ({ page_id, path, title, updated: timestamp, user_name, tags: [], properties: [] }));
      return { items, total: items.length };
    });
    this.on("GET /api/pages/wanted", () => []);
    this.on("GET /api/pages/orphans", () => []);
  }

  /** Marks entries of any folder, by their names. */
  #mark(items: readonly components["schemas"]["FilePlace"][], change: MarksChange): FilesMarked {
    const marked = items.map(({ root, path, path_bytes }) => {
      const encoded = encodePathFields(path ?? "", path_bytes);
      const at = this.entries.findIndex((one) => encoded.endsWith(encodeName(one)));
      const entry = this.entries[at] ?? fail("not_found");
      this.entries = this.entries.with(at, applyChange(entry, change));
      const { rating, tags, caption } = this.entries[at] ?? entry;
      const before = { rating: entry.rating ?? null, tags: entry.tags ?? [], caption: entry.caption ?? null, orientation: statedOrientation(entry), crop: entry.crop ?? null, taken: statedDate(entry) };
      const orientation = statedOrientation(this.entries[at] ?? entry);
      return { root, path: decodeURIComponent(encoded), rating: rating ?? null, tags: tags ?? [], caption: caption ?? null, orientation, crop: (this.entries[at] ?? entry).crop ?? null, taken: statedDate(this.entries[at] ?? entry), before };
    });
    return { marked, skipped: 0, failed: [] };
  }

  /** Changes the job, and notifies all listeners. */
  emitJob(job: Job): void {
    this.jobsNow = [job, ...this.jobsNow.filter(({ id }) => id !== job.id)];
    const { id, kind, state, done, total } = job;
    this.emit("job.progress", { job_id: id, kind, state, done, total });
  }
}

/** Returns the orientation that the sidecar of an entry states. */
function statedOrientation(entry: FolderEntry): number | null {
  return turnOf(entry) === NO_TURN ? null : combined(entry.orientation ?? NO_TURN, turnOf(entry));
}

/** The window's abilities, each a mock. */
export function fakeDesktop(overrides: Partial<DesktopApi> = {}): DesktopApi {
  return {
    pickFolder: vi.fn(() => Promise.resolve(null)),
    pickFiles: vi.fn(() => Promise.resolve([])),
    pasteFiles: vi.fn(() => Promise.resolve([])),
    saveFile: vi.fn(() => Promise.resolve(null)),
    reveal: vi.fn(() => Promise.resolve()),
    openPicture: vi.fn(() => Promise.resolve()),
    dragFiles: vi.fn(() => Promise.resolve()),
    openDataFolder: vi.fn(() => Promise.resolve()),
    onFilesDropped: () => Promise.resolve(() => {}),
    openExternal: vi.fn(() => Promise.resolve()),
    closeWindow: vi.fn(() => Promise.resolve()),
    keepWindow: vi.fn(() => Promise.resolve(true)),
    listening: vi.fn(() => Promise.resolve()),
    drawn: vi.fn(() => Promise.resolve()),
    copyDiagnostics: vi.fn(() => Promise.resolve()),
    notify: vi.fn(() => Promise.resolve()),
    openNotices: vi.fn(() => Promise.resolve()),
    requestClose: vi.fn(() => Promise.resolve()),
    noteView: vi.fn(() => Promise.resolve()),
    noteTabs: vi.fn(() => Promise.resolve()),
    tabs: vi.fn(() => Promise.resolve(null)),
    zoom: vi.fn(() => Promise.resolve(110)),
    toggleFullscreen: vi.fn(() => Promise.resolve()),
    setSpelling: vi.fn(() => Promise.resolve(["en_US"])),
    print: vi.fn(() => Promise.resolve(true)),
    savePdf: vi.fn(() => Promise.resolve(null)),
    onWindowClosing: () => Promise.resolve(() => {}),
    onOpenPlace: () => Promise.resolve(() => {}),
    onRunCommand: () => Promise.resolve(() => {}),
    onOutsideLink: () => Promise.resolve(() => {}),
    ...overrides,
  };
}

export function page(path: string, minutesAgo = 0): PageListItem {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return { page_id: `P${path}`, path, deleted: false, last_update: { revision: 1, timestamp, user_name: "Aya" } };
}

type Find<K extends SearchKind> = Mock<(words: string, options: object) => Promise<SearchAnswer<K>>>;

function findNothing<K extends SearchKind>(): Find<K> {
  return vi.fn(() => Promise.resolve({ items: [], total: 0, anchor: null, partial: null }));
}

/** A simplified search: pages that contain the folded query, in the order of the list. */
function foundPages(pages: readonly PageListItem[], query: string, limit = 20): FoundPage[] {
  return pages
    .filter(({ path }) => fold(path).includes(fold(query)))
    .slice(0, limit)
    .map(({ page_id, path }) => ({
      page_id,
      path,
      title: null,
      score: 40_000 - path.length,
      path_spans: [{ text: path, matched: true }],
      title_spans: [],
    }));
}
