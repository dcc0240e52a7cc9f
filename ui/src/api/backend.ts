// The backend of the page as one interface. `http.ts` and `tauri.ts` implement it; features take a `Backend` as an
// argument and never call `fetch` themselves.
import type { ApiEvents } from "./events";
import type { HashesApi } from "./hashes";
import type { MovesApi } from "./moves";
import type { EncodedPath, NamedBytes } from "./names";
import type { components } from "./schema";
import type { TtlApi } from "./ttl";
import type { SearchApi } from "./search";
import type { SessionsApi } from "./sessions";
import type { VisionApi } from "./vision";

type Schemas = components["schemas"];

export type User = Schemas["User"];
export type Settings = Schemas["Settings"];
export type SettingsPatch = Schemas["SettingsPatch"];
export type Language = Settings["language"];
export type Theme = Settings["theme"];
export type PreviewPanel = Settings["preview"];
export type PictureGrouping = Settings["picture_grouping"];
export type PageList = Schemas["PageList"];
export type PageListItem = PageList["items"][number];
export type FoundPage = Schemas["FoundPage"];
export type MatchSpan = Schemas["MatchSpan"];
export type ResolvedPage = Schemas["ResolvedPage"];
export type SavedPage = Schemas["SavedPage"];
export type VisitedPage = Schemas["VisitedPage"];
export type VisitedFolder = Schemas["VisitedFolder"];
export type Backlink = Schemas["Backlink"];
export type PageLink = Schemas["PageLink"];
export type PageMeta = Schemas["PageMeta"];
export type PagePicture = Schemas["PagePicture"];
export type LockStatus = Schemas["LockStatus"];
export type AutosaveBody = Schemas["JournalWrite"];
export type AutosaveEntry = Schemas["JournalEntry"];
export type RevisionList = Schemas["RevisionList"];
export type Revision = RevisionList["items"][number];
export type PageDiff = Schemas["PageDiff"];
export type RolledBackPage = Schemas["RolledBackPage"];
export type Asset = Schemas["Asset"];
export type JobKind = Schemas["JobKind"];
export type Job = Schemas["Job"];
export type CacheState = Schemas["Cache"];
export type Root = Schemas["Root"];
export type FolderEntry = Schemas["FolderEntry"];
export type FolderGroup = Schemas["FolderGroup"];
export type FolderListing = Schemas["FolderListing"];
export type FilesDone = Schemas["FilesDone"];
export type FileOperation = Schemas["FileOperation"];
export type FilesMarked = Schemas["FilesMarked"];
export type Marks = Schemas["Marks"];
export type KnownTag = Schemas["KnownTag"];
export type ExistingFile = Schemas["ExistingFile"];
export type PageWithPicture = Schemas["Backlink"];
export type PictureInfo = Schemas["PictureInfo"];
export type FolderWatching = Schemas["FolderWatching"];
export type FolderWatch = Schemas["FolderWatch"];

/** A lock as the header `X-Page-Lock` states it. */
export interface PageLock {
  token: string;
  /** RFC 3339. */
  expire: string;
}

/** A page's Markdown with the data of its headers. */
export interface PageSource {
  text: string;
  revision: number;
  etag: string;
  /** True if the page is deleted; the text is its last one. */
  deleted: boolean;
}

/** The answer to a save; `etag` identifies the stored state. */
export interface SaveResult extends SavedPage {
  etag: string;
}

export interface PageListQuery {
  prefix?: string;
  forward?: string;
  rewind?: string;
  limit?: number;
  withDeleted?: boolean;
}

export interface SaveOptions {
  /** The lock's token. Without it, the page must be unlocked, and `etag` is required. */
  token?: string;
  etag?: string;
  /** The tab whose autosave entry the save removes. */
  tab?: string;
  amend?: boolean;
  /** Keeps the lock, because the editing continues. */
  keepLock?: boolean;
  /** The digest in the ETag of the text that was read: paths then mean the pages that are there now. */
  read?: string;
  signal?: AbortSignal;
}

export type SortKey = "name" | "taken" | "modified" | "size" | "type";
export type SortOrder = "asc" | "desc";

export interface FolderQuery {
  root: string;
  path: EncodedPath;
  sort?: SortKey;
  order?: SortOrder;
  /** Limits the answer to entries whose names contain this text. */
  filter?: string;
  kind?: FolderEntry["kind"];
  /**
   * "1" to "5" for at least that many stars; "unrated" or "rejected". This field and the next six match pictures only.
   */
  rating?: string;
  /** This tag, or a tag below it. */
  tag?: string;
  /** A text that the caption contains. */
  caption?: string;
  /** Selects pictures with or without a caption. */
  has_caption?: "true" | "false";
  /** Types, separated by commas. */
  type?: string;
  /** The first and the last day: "2026-11-01". */
  taken_from?: string;
  taken_to?: string;
  /** The first sort key; the answer lists the groups. "folder" includes everything below the folder. */
  group?: "day" | "month" | "folder";
  offset?: number;
  limit?: number;
  /** The name of an entry that the answer must include, if the entry exists. */
  around?: EncodedPath | null;
  /** The `listing` of the first answer; required for further parts of it. */
  listing?: string | null;
  /** True if the answer may lack names; `folder.listed` reports that all of them are known. */
  may_grow?: boolean;
}

export interface ThumbQuery {
  root: string;
  path: EncodedPath;
  /** The thumbnail id of the listing. It makes the answer immutable. */
  id?: string | null;
  /** The longer side, in pixels of the screen. */
  size: number;
  /** True if the thumbnail is not in view yet: those in view are made first. */
  ahead?: boolean;
}

export interface UsersApi {
  list(signal?: AbortSignal): Promise<User[]>;
  create(name: string): Promise<User>;
  me(signal?: AbortSignal): Promise<User>;
  rename(name: string): Promise<User>;
  /** The user's recently read pages, the latest first. */
  visits(signal?: AbortSignal): Promise<VisitedPage[]>;
  /** Records that the user reads a page. */
  visit(pageId: string): Promise<void>;
  /** The user's recently visited picture folders, the latest first. */
  folders(signal?: AbortSignal): Promise<VisitedFolder[]>;
  /** Records a visit of a folder. */
  visitFolder(folder: FilePlace): Promise<void>;
  /** Takes a folder off that list. */
  forgetFolder(folder: FilePlace): Promise<void>;
}

export interface SettingsApi {
  get(signal?: AbortSignal): Promise<Settings>;
  patch(changes: SettingsPatch): Promise<Settings>;
}

export interface PagesApi {
  list(query?: PageListQuery, signal?: AbortSignal): Promise<PageList>;
  /** Searches titles and paths; returns the best matches first, at most 100. */
  search(query: string, limit?: number, signal?: AbortSignal): Promise<FoundPage[]>;
  resolve(path: string, signal?: AbortSignal): Promise<ResolvedPage>;
  /** Creates a draft and locks it, in one step. */
  create(path: string): Promise<{ id: string; lock: PageLock }>;
  source(id: string, revision?: number | null, signal?: AbortSignal): Promise<PageSource>;
  save(id: string, text: string, options: SaveOptions): Promise<SaveResult>;
  meta(id: string, revision?: number | null, signal?: AbortSignal): Promise<PageMeta>;
  path(id: string, signal?: AbortSignal): Promise<string>;
  /** The targets of a page's links, each target once. */
  links(id: string, signal?: AbortSignal): Promise<PageLink[]>;
  /** The pages that link to a page, in the order in which they were created; `after` is the page to continue from. */
  backlinks(id: string, query?: { after?: string; limit?: number }, signal?: AbortSignal): Promise<Backlink[]>;
}

export interface LocksApi {
  /** `takeOver` replaces the user's own lock if its tab or program has ended; the old token becomes invalid. */
  acquire(pageId: string, takeOver?: boolean): Promise<PageLock>;
  /** Returns a new token; the old one becomes invalid. */
  renew(pageId: string, token: string): Promise<PageLock>;
  status(pageId: string, signal?: AbortSignal): Promise<LockStatus>;
  release(pageId: string, token: string): Promise<void>;
  /** For a page that is being closed: true if the browser has accepted the message. */
  releaseOnClose(pageId: string, token: string): boolean;
}

export interface AutosaveApi {
  /**
   * `stale_sequence` if a later text is stored already, or the tab has saved since; `journal_full` if there are too
   * many entries.
   */
  put(pageId: string, tab: string, body: AutosaveBody): Promise<void>;
  /** The autosave entries of a path, or all of the user's. A long text is not in the list (`source` is null). */
  list(path: string | null, signal?: AbortSignal): Promise<AutosaveEntry[]>;
  /** An autosave entry with its whole text. */
  read(id: string, signal?: AbortSignal): Promise<AutosaveEntry>;
  /** `stale_sequence` if a later text than that of `seq` is stored. */
  remove(id: string, seq?: number): Promise<void>;
}

export interface RevisionsApi {
  /** Newest first; `before` is the revision to continue from. */
  list(pageId: string, query?: { before?: number; limit?: number }, signal?: AbortSignal): Promise<RevisionList>;
  /** `from` may be the newer one. */
  diff(pageId: string, from: number, to: number, signal?: AbortSignal): Promise<PageDiff>;
  /** Makes the text of that revision the newest one. A locked page needs its token, and stays locked. */
  rollback(pageId: string, to: number, token?: string): Promise<RolledBackPage>;
  /** Permanently removes all revisions before that one. */
  compact(pageId: string, keepFrom: number, token?: string): Promise<void>;
  /** The page's history as Markdown, the newest revisions first: at most a thousand, those before `before`. */
  markdown(pageId: string, query?: { before?: number }, signal?: AbortSignal): Promise<string>;
}

export interface AssetsApi {
  list(pageId: string, withDeleted?: boolean, signal?: AbortSignal): Promise<Asset[]>;
  /** Adds a file to a page or a draft and returns its name. If the name is taken, a similar free one is used. */
  upload(pageId: string, fileName: string, contents: Blob, signal?: AbortSignal): Promise<string>;
  /** Copies pictures of open folders to a page; a failure of one does not affect the others. */
  addFromFiles(pageId: string, items: readonly FilePlace[]): Promise<AddedFile[]>;
  /** Adds files that the user chose or dropped to a page or a draft; `freeNames` replaces names that are taken. */
  addFiles(pageId: string, grants: readonly string[], freeNames: boolean): Promise<AddedFile[]>;
  rename(assetId: string, fileName: string): Promise<Asset>;
  /** Moves the file to the trash, or deletes it permanently (`hard`). */
  remove(assetId: string, hard?: boolean): Promise<void>;
  restore(assetId: string): Promise<void>;
  /** The orphaned assets, whose pages were deleted permanently, the oldest first; all, or a part of them. */
  orphans(part?: { offset: number; limit: number }, signal?: AbortSignal): Promise<Asset[]>;
  /** The file itself. */
  contentsUrl(assetId: string): string;
  /** A thumbnail, cut to a square; `size` in pixels of the screen. */
  thumbUrl(assetId: string, size: number): string;
  /** Assigns a page to an orphaned asset, or another page to a file. */
  setOwner(assetId: string, pageId: string): Promise<void>;
}

/** The treatment of a page that an import finds at its path. */
export type OnConflict = "fail" | "skip" | "replace";

/** The source of the archive: a file from the browser, or a file chosen in the window's dialog. */
export type ArchiveSource = { file: Blob } | { grant: string };

export interface JobsApi {
  /** Running and recently ended jobs, the newest first. */
  list(signal?: AbortSignal): Promise<Job[]>;
  get(id: string, signal?: AbortSignal): Promise<Job>;
  pause(id: string, paused: boolean): Promise<Job>;
  /** Cancels a job as soon as possible. */
  cancel(id: string): Promise<void>;
}

/** Operations on the whole wiki. All but the export's address start jobs and return their ids. */
export interface ArchiveApi {
  /** Answers with an archive of all pages and their files. */
  readonly exportUrl: string;
  import(archive: ArchiveSource, onConflict: OnConflict): Promise<string>;
  /** Writes to the folder that the user chose, or below the data folder. */
  backup(grant: string | null): Promise<string>;
}

/** The thumbnail cache. */
export interface CacheApi {
  /** The cache's usage, and its counters since the start. */
  stats(signal?: AbortSignal): Promise<CacheState>;
  /** Deletes the least recently used thumbnails; returns the id of the job. */
  gc(): Promise<string>;
  /** Changes the limit in bytes; takes effect at once. `set_by_environment` if the environment sets it. */
  setLimit(bytes: number): Promise<CacheState>;
  /**
   * Moves the cache to a chosen folder at the next start. `set_by_environment`, or `invalid_value` if the folder
   * contains other files.
   */
  setFolder(grant: string): Promise<CacheState>;
  /** Deletes the thumbnails and folder indexes of a group, or all of them (null); returns the id of the job. */
  clear(group: string | null): Promise<string>;
}

export interface RootsApi {
  list(signal?: AbortSignal): Promise<Root[]>;
  add(source: { grant: string } | { path: string }): Promise<Root>;
  remove(id: string): Promise<void>;
}

export interface FoldersApi {
  list(query: FolderQuery, signal?: AbortSignal): Promise<FolderListing>;
  /** Subscribes to the events of a folder for a while. */
  /** `beneath` includes the events of the folders below it. */
  watch(root: string, path: EncodedPath, options?: { beneath?: boolean; signal?: AbortSignal }): Promise<FolderWatch>;
  thumbUrl(query: ThumbQuery): string;
  /** With the id, the address differs for each state of the file. */
  imageUrl(root: string, path: EncodedPath, id?: string | null): string;
  /** The thumbnail that a camera has embedded in the file, unchanged. */
  embeddedUrl(root: string, path: EncodedPath, id?: string | null): string;
  /** The metadata of a picture. */
  info(root: string, path: EncodedPath, signal?: AbortSignal): Promise<PictureInfo>;
  /** Requests a picture's address again, to learn why the browser could not show it. */
  probe(url: string, signal?: AbortSignal): Promise<void>;
}

/** A file or folder below a root. */
export interface FilePlace {
  root: string;
  path: EncodedPath;
}

/** A change of the ratings, tags and captions of pictures. */
export interface MarksChange {
  /** 1 to 5; -1 rejects, 0 removes the rating. */
  rating?: number;
  add?: readonly string[];
  remove?: readonly string[];
  /** Saved only for pictures without a caption; an empty one removes it. */
  caption?: string;
  /** True for an undo: deletes a sidecar that this program created if no mark is left in it. */
  discardEmpty?: boolean;
}

/** The user's operations on files. Each answer has the id by which the operation can be undone. */
export interface FilesApi {
  /** Renames all of them or none; they may take each other's names. */
  rename(folder: FilePlace, names: readonly { from: NamedBytes; to: string }[]): Promise<FilesDone>;
  move(items: readonly FilePlace[], to: FilePlace, existing: ExistingFile): Promise<FilesDone>;
  copy(items: readonly FilePlace[], to: FilePlace, existing: ExistingFile): Promise<FilesDone>;
  bin(items: readonly FilePlace[]): Promise<FilesDone>;
  /** Rates, tags and captions pictures. It is not recorded among the operations. */
  mark(items: readonly FilePlace[], change: MarksChange): Promise<FilesMarked>;
  /** The rating, the tags and the caption of a picture. */
  marks(place: FilePlace, signal?: AbortSignal): Promise<Marks>;
  /** The tags known in a folder, the most used first. */
  tags(folder: FilePlace, options?: { beneath?: boolean; signal?: AbortSignal }): Promise<KnownTag[]>;
  /** The operations that can be undone, the latest first. */
  operations(signal?: AbortSignal): Promise<FileOperation[]>;
  /** All-or-nothing, unless `partly`. */
  undo(id: string, partly?: boolean): Promise<FilesDone>;
  /** The pages that have a file with the same contents. */
  pagesWith(picture: FilePlace, signal?: AbortSignal): Promise<PageWithPicture[]>;
}

/** A file that the user chose, or dropped on the window. Its grant allows one operation. */
export interface GrantedFile {
  grant: string;
  name: string;
  /** Bytes; null for a folder. */
  size: number | null;
  folder: boolean;
}

/** The outcome for a file that was to be added to a page: one of the two is null. */
export interface AddedFile {
  name: string;
  asset: Asset | null;
  error: Schemas["Error"] | null;
}

/** The source of a copy: a page's file by its id, a text, or the whole wiki as an archive. */
export type FileToSave = { asset: string } | { text: { name: string; text: string } } | { export: object };

export interface FilesDropped {
  grants: GrantedFile[];
  /** The position in the page, in CSS pixels. */
  x: number;
  y: number;
}

export interface WindowClosing {
  /** True if the user may be asked to stay; false if the session ends. */
  may_stay: boolean;
}

/** A place below a root; in base64 if it is not UTF-8. */
export type PlaceFields = { root: string } & ({ path: string } | { path_bytes: string });

export type ZoomChange = "in" | "out" | "reset";

/** The abilities of the desktop window; a browser has none of them. */
export interface DesktopApi {
  /** The system's folder dialog; null if the user cancelled. `purpose` selects its text, "pictures" if absent. */
  pickFolder(purpose?: "pictures" | "backup" | "hashes" | "copies" | "cache"): Promise<{ grant: string; name: string } | null>;
  /** The system's file dialog; empty if the user cancelled. `purpose`: files for a page if absent, or one archive. */
  pickFiles(purpose?: "page" | "archive"): Promise<GrantedFile[]>;
  /**
   * Adds the files or the picture in the clipboard, if the page cannot read them itself; `name` is the picture's,
   * without extension.
   */
  pasteFiles(pageId: string, name: string): Promise<AddedFile[]>;
  /** Asks for a destination and writes the file there; returns the chosen name, or null if the user cancelled. */
  saveFile(file: FileToSave): Promise<{ name: string } | null>;
  /** Shows a picture or a folder of a root in the system's file manager. */
  reveal(place: PlaceFields): Promise<void>;
  /** Opens a picture of a root with the system's program for it. */
  openPicture(place: PlaceFields): Promise<void>;
  onFilesDropped(handler: (dropped: FilesDropped) => void): Promise<() => void>;
  openExternal(url: string): Promise<void>;
  /** Notifies the shell that everything is flushed and the window may close. */
  closeWindow(): Promise<void>;
  /** Notifies the shell that the user must be asked first; false if the window closes regardless. */
  keepWindow(): Promise<boolean>;
  /** Closes the window as its own button does. */
  requestClose(): Promise<void>;
  /** Records the view that the next start opens: a path with its query. */
  noteView(address: string): Promise<void>;
  /** Changes the size of everything in the window; returns it in percent. */
  zoom(change: ZoomChange): Promise<number>;
  toggleFullscreen(): Promise<void>;
  /** Shows the print dialog, and waits until the page has been printed; false if the user cancelled. */
  print(): Promise<boolean>;
  /** Notifies the shell that all listeners are registered. */
  listening(): Promise<void>;
  onWindowClosing(handler: (closing: WindowClosing) => void): Promise<() => void>;
  /** A later start named a folder or a picture; the address is that of its page. */
  onOpenPlace(handler: (place: { address: string }) => void): Promise<() => void>;
  /** Reports a followed link that the page could not observe: by the middle button, or into a window of its own. */
  onOutsideLink(handler: (link: { url: string }) => void): Promise<() => void>;
}

export interface Backend {
  readonly users: UsersApi;
  readonly settings: SettingsApi;
  readonly sessions: SessionsApi;
  readonly pages: PagesApi;
  readonly locks: LocksApi;
  readonly revisions: RevisionsApi;
  readonly moves: MovesApi;
  readonly assets: AssetsApi;
  readonly autosave: AutosaveApi;
  readonly jobs: JobsApi;
  readonly archive: ArchiveApi;
  readonly cache: CacheApi;
  readonly ttl: TtlApi;
  readonly roots: RootsApi;
  readonly folders: FoldersApi;
  readonly files: FilesApi;
  readonly hashes: HashesApi;
  readonly search: SearchApi;
  readonly vision: VisionApi;
  readonly events: ApiEvents;
  /** null in a browser. */
  readonly desktop: DesktopApi | null;
}
