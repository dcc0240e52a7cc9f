// Everything that the page can ask for, as one interface. `http.ts` and `tauri.ts` implement it;
// features take a `Backend` as an argument and never call `fetch` themselves.
import type { ApiEvents } from "./events";
import type { HashesApi, HashJobKind } from "./hashes";
import type { MovesApi } from "./moves";
import type { EncodedPath, NamedBytes } from "./names";
import type { ErrorBody } from "./request";
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
export type JournalBody = Schemas["JournalWrite"];
export type JournalEntry = Schemas["JournalEntry"];
export type RevisionList = Schemas["RevisionList"];
export type Revision = RevisionList["items"][number];
export type PageDiff = Schemas["PageDiff"];
export type RolledBackPage = Schemas["RolledBackPage"];
export type Asset = Schemas["Asset"];
export type JobKind = Schemas["JobKind"] | HashJobKind;
export type Job = Omit<Schemas["Job"], "kind" | "error"> & { kind: JobKind; error?: ErrorBody | null };
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
export type PageWithPicture = Schemas["PageWithPicture"];
export type PictureInfo = Schemas["PictureInfo"];
export type FolderWatching = Schemas["FolderWatching"];
export type FolderWatch = Schemas["FolderWatch"];

/** A lock as the header `X-Page-Lock` gives it. */
export interface PageLock {
  token: string;
  /** RFC 3339. */
  expire: string;
}

/** A page's Markdown with what its headers say. */
export interface PageSource {
  text: string;
  revision: number;
  etag: string;
  /** The page is deleted; the text is its last one. */
  deleted: boolean;
}

/** The answer to a save; `etag` names what is stored now. */
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
  /** The lock's token; without it the page must be unlocked, and `etag` is needed. */
  token?: string;
  etag?: string;
  /** Whose unsaved text (journal) the save removes. */
  tab?: string;
  amend?: boolean;
  /** Leaves the lock as it is: the editing goes on. */
  keepLock?: boolean;
  signal?: AbortSignal;
}

export type SortKey = "name" | "taken" | "modified" | "size" | "type";
export type SortOrder = "asc" | "desc";

export interface FolderQuery {
  root: string;
  path: EncodedPath;
  sort?: SortKey;
  order?: SortOrder;
  /** Only those whose names hold this text. */
  filter?: string;
  kind?: FolderEntry["kind"];
  /** "1" to "5": at least so many stars; "unrated" or "rejected". Of this and the next six, each lets pictures alone through. */
  rating?: string;
  /** This tag, or one below it. */
  tag?: string;
  /** A text that the caption holds. */
  caption?: string;
  /** Whether there is a caption. */
  has_caption?: "true" | "false";
  /** Types, separated by commas. */
  type?: string;
  /** The first day and the last one: "2026-11-01". */
  taken_from?: string;
  taken_to?: string;
  /** Sorted by it first; the answer tells the groups. With `folder`, all that lies beneath the folder is asked for. */
  group?: "day" | "month" | "folder";
  offset?: number;
  limit?: number;
  /** The name of an entry that is to be in the answer, if it is there. */
  around?: EncodedPath | null;
  /** What one asks another part of, by the `listing` that came with the first one. */
  listing?: string | null;
  /** Whether not all names need be there yet; `folder.listed` tells when they are. */
  may_grow?: boolean;
}

export interface ThumbQuery {
  root: string;
  path: EncodedPath;
  /** The thumbnail id of the listing: makes the answer immutable. */
  id?: string | null;
  /** Pixels of the longer side, as the screen has them. */
  size: number;
  /** Nobody looks at its place yet: it is made after those that are looked at. */
  ahead?: boolean;
}

export interface UsersApi {
  list(signal?: AbortSignal): Promise<User[]>;
  create(name: string): Promise<User>;
  me(signal?: AbortSignal): Promise<User>;
  rename(name: string): Promise<User>;
  /** The pages that the person read last, the latest first. */
  visits(signal?: AbortSignal): Promise<VisitedPage[]>;
  /** Notes that the person reads a page. */
  visit(pageId: string): Promise<void>;
  /** The folders of pictures that the person looked at last, the latest first. */
  folders(signal?: AbortSignal): Promise<VisitedFolder[]>;
  /** Notes that the person looks at a folder. */
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
  /** By titles and paths, the best first; at most 100. */
  search(query: string, limit?: number, signal?: AbortSignal): Promise<FoundPage[]>;
  resolve(path: string, signal?: AbortSignal): Promise<ResolvedPage>;
  /** Makes a draft and locks it, in one step. */
  create(path: string): Promise<{ id: string; lock: PageLock }>;
  source(id: string, revision?: number | null, signal?: AbortSignal): Promise<PageSource>;
  save(id: string, text: string, options: SaveOptions): Promise<SaveResult>;
  meta(id: string, revision?: number | null, signal?: AbortSignal): Promise<PageMeta>;
  path(id: string, signal?: AbortSignal): Promise<string>;
  /** Where the links of a page lead, each target once. */
  links(id: string, signal?: AbortSignal): Promise<PageLink[]>;
  /** The pages that link to one, in the order in which they were made; `after` is the page from which to go on. */
  backlinks(id: string, query?: { after?: string; limit?: number }, signal?: AbortSignal): Promise<Backlink[]>;
}

export interface LocksApi {
  /** `takeOver` replaces one's own lock, held by a tab or program that has ended: its token is nothing from then on. */
  acquire(pageId: string, takeOver?: boolean): Promise<PageLock>;
  /** Gives a new token; the old one ends. */
  renew(pageId: string, token: string): Promise<PageLock>;
  status(pageId: string, signal?: AbortSignal): Promise<LockStatus>;
  release(pageId: string, token: string): Promise<void>;
  /** For a page that is being closed: true when the browser has taken the message over. */
  releaseOnClose(pageId: string, token: string): boolean;
}

export interface JournalApi {
  /** `stale_sequence` when a later text is already there, or the tab has saved since; `journal_full` when there are too many. */
  put(pageId: string, tab: string, body: JournalBody): Promise<void>;
  /** Those of a path, or all of the person's. A long text is not in the list (`source` is null). */
  list(path: string | null, signal?: AbortSignal): Promise<JournalEntry[]>;
  /** One text, whole. */
  read(id: string, signal?: AbortSignal): Promise<JournalEntry>;
  /** `stale_sequence` when a later text than that of `seq` is there. */
  remove(id: string, seq?: number): Promise<void>;
}

export interface RevisionsApi {
  /** Newest first; `before` is the revision from which to go on. */
  list(pageId: string, query?: { before?: number; limit?: number }, signal?: AbortSignal): Promise<RevisionList>;
  /** `from` may be the newer one. */
  diff(pageId: string, from: number, to: number, signal?: AbortSignal): Promise<PageDiff>;
  /** Makes that revision's text the newest one. A locked page needs its token, and stays locked. */
  rollback(pageId: string, to: number, token?: string): Promise<RolledBackPage>;
  /** Removes all revisions before that one, for good. */
  compact(pageId: string, keepFrom: number, token?: string): Promise<void>;
  /** The page's past as a text in Markdown, the newest revisions first: a thousand at most, those before `before`. */
  markdown(pageId: string, query?: { before?: number }, signal?: AbortSignal): Promise<string>;
}

export interface AssetsApi {
  list(pageId: string, withDeleted?: boolean, signal?: AbortSignal): Promise<Asset[]>;
  /** Brings a file to a page or a draft, where its name is taken under a free one like it; the name that it has. */
  upload(pageId: string, fileName: string, contents: Blob, signal?: AbortSignal): Promise<string>;
  /** Copies pictures of open folders to a page; one that does not come keeps no other from coming. */
  addFromFiles(pageId: string, items: readonly FilePlace[]): Promise<AddedFile[]>;
  rename(assetId: string, fileName: string): Promise<Asset>;
  /** It can be restored, unless it goes for good (`hard`). */
  remove(assetId: string, hard?: boolean): Promise<void>;
  restore(assetId: string): Promise<void>;
  /** The files whose pages were deleted for good, the oldest first; all, or a part of them. */
  zombies(part?: { offset: number; limit: number }, signal?: AbortSignal): Promise<Asset[]>;
  /** The file itself. */
  contentsUrl(assetId: string): string;
  /** A picture in small, cut to a square; `size` in pixels as the screen has them. */
  thumbUrl(assetId: string, size: number): string;
  /** Gives a zombie a page, or a file another one. */
  setOwner(assetId: string, pageId: string): Promise<void>;
}

/** What becomes of a page that an import finds in its place. */
export type OnConflict = "fail" | "skip" | "replace";

/** Where the archive is: given by the browser, or chosen in the window's dialog. */
export type ArchiveSource = { file: Blob } | { grant: string };

export interface JobsApi {
  /** Those at work and those that ended lately, the newest first. */
  list(signal?: AbortSignal): Promise<Job[]>;
  get(id: string, signal?: AbortSignal): Promise<Job>;
  pause(id: string, paused: boolean): Promise<Job>;
  /** Ends it as soon as it can. */
  cancel(id: string): Promise<void>;
}

/** The wiki as a whole. All but the export's address are jobs, of which the ids are answered. */
export interface ExchangeApi {
  /** Answers with an archive of all pages and their files. */
  readonly exportUrl: string;
  import(archive: ArchiveSource, onConflict: OnConflict): Promise<string>;
  /** Into a folder that the person chose, else beneath the data folder. */
  backup(grant: string | null): Promise<string>;
}

/** The thumbnails that are kept. */
export interface CacheApi {
  /** What they take up, and what was done since the start. */
  stats(signal?: AbortSignal): Promise<CacheState>;
  /** Deletes those that were not used for longest; the id of the job that does so. */
  gc(): Promise<string>;
  /** Changes how many bytes they may take up; takes effect at once. `set_by_environment` where the environment says it. */
  setLimit(bytes: number): Promise<CacheState>;
  /** Has them kept in a folder that was chosen, from the next start on. `set_by_environment`, or `invalid_value` where other files are in it. */
  setFolder(grant: string): Promise<CacheState>;
  /** Deletes the thumbnails and folder indexes of a group, or all of them (null); the id of the job that does so. */
  clear(group: string | null): Promise<string>;
}

export interface RootsApi {
  list(signal?: AbortSignal): Promise<Root[]>;
  add(source: { grant: string } | { path: string }): Promise<Root>;
  remove(id: string): Promise<void>;
}

export interface FoldersApi {
  list(query: FolderQuery, signal?: AbortSignal): Promise<FolderListing>;
  /** Has what happens in the folder told for a while. */
  /** With `beneath`, also of what happens in the folders beneath it. */
  watch(root: string, path: EncodedPath, options?: { beneath?: boolean; signal?: AbortSignal }): Promise<FolderWatch>;
  thumbUrl(query: ThumbQuery): string;
  /** With the id, another address for each state of the file. */
  imageUrl(root: string, path: EncodedPath, id?: string | null): string;
  /** The small picture that a camera has put into the file, as it lies there. */
  embeddedUrl(root: string, path: EncodedPath, id?: string | null): string;
  /** What is known of a picture. */
  info(root: string, path: EncodedPath, signal?: AbortSignal): Promise<PictureInfo>;
  /** Asks for a picture's address once more, to learn why the browser could not show it. */
  probe(url: string, signal?: AbortSignal): Promise<void>;
}

/** A file or folder beneath a root. */
export interface FilePlace {
  root: string;
  path: EncodedPath;
}

/** What is to become of the ratings, tags and captions of pictures. */
export interface MarksChange {
  /** 1 to 5; -1 rejects, 0 takes the rating away. */
  rating?: number;
  add?: readonly string[];
  remove?: readonly string[];
  /** Saved only where a picture has no caption; an empty one removes it. */
  caption?: string;
}

/** What a person does with files. Each answer tells by which id it can be undone. */
export interface FilesApi {
  /** All of them or none; they may take each other's names. */
  rename(folder: FilePlace, names: readonly { from: NamedBytes; to: string }[]): Promise<FilesDone>;
  move(items: readonly FilePlace[], to: FilePlace, existing: ExistingFile): Promise<FilesDone>;
  copy(items: readonly FilePlace[], to: FilePlace, existing: ExistingFile): Promise<FilesDone>;
  bin(items: readonly FilePlace[]): Promise<FilesDone>;
  /** Rates, tags and captions pictures; it is not among the operations. */
  mark(items: readonly FilePlace[], change: MarksChange): Promise<FilesMarked>;
  /** The rating, the tags and the caption of a picture. */
  marks(place: FilePlace, signal?: AbortSignal): Promise<Marks>;
  /** The tags that are known in a folder, the most used first. */
  tags(folder: FilePlace, options?: { beneath?: boolean; signal?: AbortSignal }): Promise<KnownTag[]>;
  /** What can be undone, the latest first. */
  operations(signal?: AbortSignal): Promise<FileOperation[]>;
  /** All of it or nothing, unless `partly`. */
  undo(id: string, partly?: boolean): Promise<FilesDone>;
  /** The pages that have a file with the same contents. */
  pagesWith(picture: FilePlace, signal?: AbortSignal): Promise<PageWithPicture[]>;
}

/** A file of the machine that the person chose, or dropped on the window: what the page may do with it, it does by the grant, once. */
export interface GivenFile {
  grant: string;
  name: string;
  /** Bytes; null for a folder. */
  size: number | null;
  folder: boolean;
}

/** What became of a file that was to be brought to a page: one of the two is null. */
export interface AddedFile {
  name: string;
  asset: Asset | null;
  error: Schemas["Error"] | null;
}

/** What the person wants a copy of: a page's file by its id, a text, or the whole wiki as an archive. */
export type FileToSave = { asset: string } | { text: { name: string; text: string } } | { export: object };

export interface FilesDropped {
  grants: GivenFile[];
  /** Where in the page, in CSS pixels. */
  x: number;
  y: number;
}

export interface WindowClosing {
  /** Whether the person may be asked whether to stay; not when the session ends. */
  may_stay: boolean;
}

/** A place beneath a root; in base64 where it is not UTF-8. */
export type ToldPlace = { root: string } & ({ path: string } | { path_bytes: string });

/** What only the window can do; a browser has none of it. */
export interface DesktopApi {
  /** The system's folder dialog; null when the person changed their mind. `purpose`: what it is to say, "pictures" when absent. */
  pickFolder(purpose?: "pictures" | "backup" | "hashes" | "copies" | "cache"): Promise<{ grant: string; name: string } | null>;
  /** The system's file dialog; none when the person changed their mind. `purpose`: files for a page when absent, or one archive. */
  pickFiles(purpose?: "page" | "archive"): Promise<GivenFile[]>;
  /** Brings files to a page or a draft. Each comes whole or not at all, and keeps no other from coming. `freeNames`: under another name where its own is taken. */
  addFiles(pageId: string, grants: string[], freeNames?: boolean): Promise<AddedFile[]>;
  /** Brings the files or the picture that the clipboard holds, where the page can't see them itself; `name` is the picture's, without ending. */
  pasteFiles(pageId: string, name: string): Promise<AddedFile[]>;
  /** Asks where to, and writes it there; the name that was chosen, or null when the person changed their mind. */
  saveFile(file: FileToSave): Promise<{ name: string } | null>;
  /** Shows a picture or a folder of a root in the system's file manager. */
  reveal(place: ToldPlace): Promise<void>;
  /** Opens a picture of a root with the program that the system has for it. */
  openPicture(place: ToldPlace): Promise<void>;
  onFilesDropped(handler: (dropped: FilesDropped) => void): Promise<() => void>;
  openExternal(url: string): Promise<void>;
  /** Tells the shell that everything is flushed and the window may go. */
  closeWindow(): Promise<void>;
  /** Tells the shell that the person has to be asked first; false when the window goes all the same. */
  keepWindow(): Promise<boolean>;
  /** Tells the shell that every listener is there. */
  listening(): Promise<void>;
  onWindowClosing(handler: (closing: WindowClosing) => void): Promise<() => void>;
  onOpenFolder(handler: (folder: { root: string; path: string }) => void): Promise<() => void>;
  /** A link that the page could not see being followed: by the middle button, or into a window of its own. */
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
  readonly journal: JournalApi;
  readonly jobs: JobsApi;
  readonly exchange: ExchangeApi;
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
