// A backend in memory for the tests of the frame and of the folders.
import { type Mock, vi } from "vitest";
import type { Backend, CacheApi, CacheState, DesktopApi, FileOperation, FilePlace, FilesApi, FilesDone, FilesMarked, FolderEntry, FolderQuery, FoldersApi, FolderWatching, FoundPage, Job, JobsApi, AutosaveEntry, KnownTag, MarksChange, PageListItem, PageWithPicture, PictureInfo, Root, Settings, ThumbQuery, TreeView, User, VisitedFolder, VisitedPage } from "../api/backend";
import { ApiError, type ApiErrorCode } from "../api/errors";
import { encodeName } from "../api/names";
import { childrenOf } from "./fake-children";
import { folderPart } from "./fake-folder";
import { FakeHashes } from "./fake-hashes";
import { FakeTtl } from "./fake-ttl";
import type { Session } from "../api/sessions";
import type { SearchAnswer, SearchApi, SearchKind, SearchOptions } from "../api/search";
import { FakeVision } from "./fake-vision";
import { applyChange } from "../folders/marks/marks";
import { fold } from "../i18n/fold";
import type { ApiEvents, ConnectionHandler, EventMap, EventName } from "../api/events";

export const AYA: User = { id: "U1", name: "Aya", created_at: "2026-11-01T00:00:00Z" };

export class FakeBackend implements Backend {
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
    templates: { daily_path: "/daily/{{date:YYYY-MM-DD}}", daily_template: null, folders: [] },
    thumbnail_size: 160,
    picture_order: { sort: "name", order: "asc" },
    picture_grouping: "none",
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
  /** While set, every call fails with it. */
  fault: ApiErrorCode | null = null;

  readonly #handlers = new Map<EventName, Set<(data: never) => void>>();
  readonly #connection = new Set<ConnectionHandler>();

  readonly users = {
    list: () => this.#answer(() => (this.user ? [this.user] : [])),
    create: vi.fn((name: string) => this.#answer(() => (this.user = { ...AYA, name }))),
    me: () =>
      this.#answer(() => {
        if (this.user === null) throw new ApiError("no_user", 404, "");
        return this.user;
      }),
    rename: vi.fn((name: string) => this.#answer(() => (this.user = { ...AYA, name }))),
    visits: vi.fn(() => this.#answer(() => this.visited)),
    visit: vi.fn<(id: string) => Promise<void>>(() => this.#answer(() => {})),
    pins: vi.fn(() => this.#answer(() => this.pinned.flatMap((id) => this.pagesNow.find((page) => page.page_id === id && !page.deleted) ?? []))),
    pin: vi.fn((id: string) => this.#answer(() => void this.pinned.push(id))),
    unpin: vi.fn((id: string) => this.#answer(() => void (this.pinned = this.pinned.filter((other) => other !== id)))),
    tree: vi.fn(() => this.#answer(() => this.treeNow)),
    setTree: vi.fn((view: TreeView) => this.#answer(() => void (this.treeNow = view))),
    folders: vi.fn(() => this.#answer(() => this.visitedFolders)),
    visitFolder: vi.fn<(folder: FilePlace) => Promise<void>>(() => this.#answer(() => {})),
    forgetFolder: vi.fn<(folder: FilePlace) => Promise<void>>(() => this.#answer(() => {})),
  };
  readonly sessions = {
    list: () => this.#answer(() => this.sessionsNow),
    end: vi.fn((id: string) =>
      this.#answer(() => {
        this.sessionsNow = this.sessionsNow.filter((session) => session.id !== id);
      }),
    ),
    endOthers: vi.fn(() =>
      this.#answer(() => {
        const before = this.sessionsNow.length;
        this.sessionsNow = this.sessionsNow.filter(({ is_current, is_window }) => is_current || is_window);
        return before - this.sessionsNow.length;
      }),
    ),
    signOut: vi.fn(() => this.#answer(() => {})),
  };
  readonly settings = {
    get: () => this.#answer(() => this.settingsNow),
    patch: vi.fn((changes: object) => this.#answer(() => (this.settingsNow = { ...this.settingsNow, ...changes }))),
  };
  readonly pages = {
    list: vi.fn(() => this.#answer(() => ({ items: this.pagesNow, has_more: false }))),
    search: vi.fn((query: string, limit?: number) => this.#answer(() => foundPages(this.pagesNow, query, limit))),
    resolve: (path: string) =>
      this.#answer(() => {
        const page = this.pagesNow.find((one) => one.path === path);
        if (page === undefined) throw new ApiError("page_not_found", 404, "");
        return { id: page.page_id, revision: 1, title: page.title ?? null };
      }),
    create: () => this.#refuse(),
    source: () => this.#refuse(),
    save: () => this.#refuse(),
    meta: () => this.#refuse(),
    path: () => this.#refuse(),
    links: () => this.#refuse(),
    backlinks: () => this.#refuse(),
  };
  readonly locks = {
    acquire: () => this.#refuse(),
    renew: () => this.#refuse(),
    status: () => this.#refuse(),
    release: () => this.#refuse(),
    releaseOnClose: () => false,
  };
  readonly revisions = {
    list: () => this.#refuse(),
    diff: () => this.#refuse(),
    rollback: () => this.#refuse(),
    compact: () => this.#refuse(),
    markdown: () => this.#refuse(),
  };
  readonly moves = {
    preview: () => this.#refuse(),
    rename: () => this.#refuse(),
    remove: () => this.#refuse(),
    restore: () => this.#refuse(),
    trash: () => this.#answer(() => []),
    deletedAt: () => this.#answer(() => []),
    countSubpages: () => this.#answer(() => 0),
    children: (path: string) => this.#answer(() => childrenOf(this.pagesNow.filter(({ deleted }) => !deleted).map(({ page_id: id, path, title = null }) => ({ id, path, title })), path)),
    parent: () => this.#answer(() => "/"),
  };
  readonly assets = {
    list: () => this.#refuse(),
    upload: () => this.#refuse(),
    rename: () => this.#refuse(),
    remove: () => this.#refuse(),
    restore: () => this.#refuse(),
    addFromFiles: () => this.#refuse(),
    addFiles: () => this.#refuse(),
    orphans: () => this.#refuse(),
    contentsUrl: (id: string) => `/contents/${id}`,
    thumbUrl: (id: string) => `/thumb/${id}`,
    setOwner: () => this.#refuse(),
  };
  readonly autosave = {
    put: () => this.#refuse(),
    list: () => this.#answer(() => this.entriesNow),
    read: () => this.#refuse(),
    remove: () => this.#refuse(),
  };
  readonly jobs = {
    list: () => this.#answer(() => this.jobsNow),
    get: (id: string) =>
      this.#answer(() => {
        const job = this.jobsNow.find((one) => one.id === id);
        if (job === undefined) throw new ApiError("job_not_found", 404, "");
        return job;
      }),
    pause: () => this.#refuse(),
    cancel: vi.fn<JobsApi["cancel"]>(() => this.#refuse()),
  };
  readonly archive = {
    exportUrl: "/api/export",
    import: () => this.#refuse(),
    backup: () => this.#refuse(),
  };
  readonly cache = {
    stats: vi.fn(() => this.#answer(() => this.cacheNow)),
    gc: vi.fn(() => this.#answer(() => "J1")),
    setLimit: vi.fn<CacheApi["setLimit"]>((limit_bytes) => this.#answer(() => (this.cacheNow = { ...this.cacheNow, limit_bytes }))),
    setFolder: vi.fn<CacheApi["setFolder"]>((grant) => this.#answer(() => (this.cacheNow = { ...this.cacheNow, next_folder: `/chosen/${grant}` }))),
    clear: vi.fn<CacheApi["clear"]>(() => this.#answer(() => "J1")),
  };
  readonly roots = {
    list: () => this.#answer(() => this.rootsNow),
    add: vi.fn((source: { grant: string } | { path: string }) =>
      this.#answer(() => {
        if ("path" in source) throw new ApiError("outside_roots", 403, "");
        const root = { id: "R1", name: "Photos", path: "/home/aya/Photos", available: true };
        this.rootsNow = [...this.rootsNow, root];
        return root;
      }),
    ),
    remove: vi.fn((id: string) => this.#answer(() => void (this.rootsNow = this.rootsNow.filter((root) => root.id !== id)))),
  };
  readonly folders = {
    list: vi.fn((query: FolderQuery) =>
      this.#answer(() => ({
        root: query.root,
        path: query.path,
        listing: this.reading,
        unread: this.unread,
        ...(this.growing ? { growing: true } : {}),
        offset: query.offset ?? 0,
        ...folderPart(this.entries, query),
      })),
    ),
    watch: vi.fn<FoldersApi["watch"]>(() => this.#answer(() => ({ watching: this.watching, renewed: false, seconds: 120 }))),
    info: vi.fn((_root: string, path: string) => this.#answer(() => this.infoOf(path))),
    thumbUrl: ({ path, id, size, ahead = false }: ThumbQuery) =>
      `/thumb/${path}?${size}&${id ?? ""}${ahead ? "&ahead" : ""}`,
    imageUrl: (_root: string, path: string, id?: string | null) => `/image/${path}?${id ?? ""}`,
    embeddedUrl: (_root: string, path: string, id?: string | null) => `/embedded/${path}?${id ?? ""}`,
    probe: vi.fn((): Promise<void> => this.#answer(() => {})),
  };
  /** The answer to every operation on files; an error rejects it. */
  filesDone: FilesDone | ApiError = { operation: "O1", done: 1, skipped: 0, failed: [] };
  operationsNow: FileOperation[] = [];
  tagsNow: KnownTag[] = [];
  /** The pages that have any requested picture. */
  pagesWithPicture: PageWithPicture[] = [];
  readonly files = {
    rename: vi.fn<FilesApi["rename"]>(() => this.#didFiles()),
    move: vi.fn<FilesApi["move"]>(() => this.#didFiles()),
    copy: vi.fn<FilesApi["copy"]>(() => this.#didFiles()),
    bin: vi.fn<FilesApi["bin"]>(() => this.#didFiles()),
    mark: vi.fn<FilesApi["mark"]>((items, change) => this.#answer(() => this.#mark(items, change))),
    marks: vi.fn<FilesApi["marks"]>(({ path }) =>
      this.#answer(() => {
        const entry = this.entries.find((one) => path.endsWith(encodeName(one)));
        return { rating: entry?.rating ?? null, tags: entry?.tags ?? [] };
      }),
    ),
    tags: vi.fn<FilesApi["tags"]>(() => this.#answer(() => this.tagsNow)),
    operations: vi.fn(() => this.#answer(() => this.operationsNow)),
    undo: vi.fn<FilesApi["undo"]>(() => this.#didFiles()),
    pagesWith: vi.fn<FilesApi["pagesWith"]>(() => this.#answer(() => this.pagesWithPicture)),
  };
  readonly ttl = new FakeTtl();
  readonly hashes = new FakeHashes();
  /** The answers of a search for each kind. */
  readonly finds: { [K in SearchKind]: FindKind<K> } = { page: findNothing(), picture: findNothing(), file: findNothing(), record: findNothing() };
  readonly search = {
    find: <K extends SearchKind>(kind: K, query: string, options?: SearchOptions, signal?: AbortSignal) => this.finds[kind](query, options, signal),
    folders: vi.fn<SearchApi["folders"]>(() => Promise.resolve([])),
    tags: vi.fn<SearchApi["tags"]>(() => Promise.resolve([])),
    wanted: vi.fn<SearchApi["wanted"]>(() => Promise.resolve([])),
    orphans: vi.fn<SearchApi["orphans"]>(() => Promise.resolve([])),
    mentions: () => this.#refuse(),
  };
  readonly vision = new FakeVision();
  readonly events: ApiEvents = {
    on: (name, handler) => {
      const handlers = this.#handlers.get(name) ?? new Set();
      this.#handlers.set(name, handlers.add(handler));
      return () => handlers.delete(handler);
    },
    onConnection: (handler) => {
      this.#connection.add(handler);
      return () => this.#connection.delete(handler);
    },
  };
  desktop: DesktopApi | null = null;

  #didFiles(): Promise<FilesDone> {
    return this.#answer(() => {
      if (this.filesDone instanceof ApiError) throw this.filesDone;
      return this.filesDone;
    });
  }

  /** Marks entries of any folder, by their names. */
  #mark(items: readonly FilePlace[], change: MarksChange): FilesMarked {
    const marked = items.map(({ root, path }) => {
      const at = this.entries.findIndex((one) => path.endsWith(encodeName(one)));
      const entry = this.entries[at];
      if (entry === undefined) throw new ApiError("not_found", 404, "");
      this.entries = this.entries.with(at, applyChange(entry, change));
      const { rating, tags, caption } = this.entries[at] ?? entry;
      const before = { rating: entry.rating ?? null, tags: entry.tags ?? [], caption: entry.caption ?? null };
      return { root, path: decodeURIComponent(path), rating: rating ?? null, tags: tags ?? [], caption: caption ?? null, before };
    });
    return { marked, skipped: 0, failed: [] };
  }

  emit<K extends EventName>(name: K, data: EventMap[K]): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(data as never);
  }

  /** Changes the job, and notifies all listeners. */
  emitJob(job: Job): void {
    this.jobsNow = [job, ...this.jobsNow.filter(({ id }) => id !== job.id)];
    const { id, kind, state, done, total } = job;
    this.emit("job.progress", { job_id: id, kind, state, done, total });
  }

  connect(connected: boolean): void {
    for (const handler of this.#connection) handler(connected);
  }

  async #answer<T>(value: () => T): Promise<T> {
    await Promise.resolve();
    if (this.fault) throw new ApiError(this.fault, 500, "");
    return value();
  }

  #refuse(): Promise<never> {
    return Promise.reject(new ApiError("not_found", 404, ""));
  }
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
    onFilesDropped: () => Promise.resolve(() => {}),
    openExternal: vi.fn(() => Promise.resolve()),
    closeWindow: vi.fn(() => Promise.resolve()),
    keepWindow: vi.fn(() => Promise.resolve(true)),
    listening: vi.fn(() => Promise.resolve()),
    requestClose: vi.fn(() => Promise.resolve()),
    noteView: vi.fn(() => Promise.resolve()),
    zoom: vi.fn(() => Promise.resolve(110)),
    toggleFullscreen: vi.fn(() => Promise.resolve()),
    print: vi.fn(() => Promise.resolve(true)),
    onWindowClosing: () => Promise.resolve(() => {}),
    onOpenPlace: () => Promise.resolve(() => {}),
    onOutsideLink: () => Promise.resolve(() => {}),
    ...overrides,
  };
}

export function page(path: string, minutesAgo = 0): PageListItem {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return { page_id: `P${path}`, path, deleted: false, last_update: { revision: 1, timestamp, user_name: "Aya" } };
}

type FindKind<K extends SearchKind> = Mock<(query: string, options?: SearchOptions, signal?: AbortSignal) => Promise<SearchAnswer<K>>>;

function findNothing<K extends SearchKind>(): FindKind<K> {
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
