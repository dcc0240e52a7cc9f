// The types of the backend: the answers of the document, the arguments of operations, and the backend as `http.ts` creates
// it. Features take a `Backend` as an argument and never call `fetch` themselves.
import type { createHttpBackend } from "./transport/http";
import type { EncodedPath } from "./names";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type User = Schemas["User"];
export type BackupItem = Schemas["BackupItem"];
export type BackupPlaceState = Schemas["BackupPlaceState"];
export type Replacement = Schemas["Replacement"];
export type BackupPageItem = Schemas["BackupPageItem"];
export type ImportedText = Schemas["ImportedText"];
export type ImportedTextDifference = Schemas["ImportedTextDifference"];
export type MirrorState = Schemas["MirrorState"];
export type MirrorOutsideFile = Schemas["MirrorOutsideFile"];
export type MirrorDifference = Schemas["MirrorDifference"];
export type MirrorFile = Schemas["MirrorFile"];
export type BackupPageDetails = Schemas["BackupPageDetails"];
export type Settings = Schemas["Settings"];
export type SettingsPatch = Schemas["SettingsPatch"];
export type Language = Settings["language"];
export type Theme = Settings["theme"];
export type PreviewPanel = Settings["preview"];
export type PictureGrouping = Settings["picture_grouping"];
export type PictureLayout = Settings["picture_layout"];
export type PictureColumn = Settings["picture_columns"][number];
export type PageList = Schemas["PageList"];
export type PageListItem = PageList["items"][number];
export type FoundPage = Schemas["FoundPage"];
export type MatchSpan = Schemas["MatchSpan"];
export type ResolvedPage = Schemas["ResolvedPage"];
export type SavedPage = Schemas["SavedPage"];
export type VisitedPage = Schemas["VisitedPage"];
export type TreeView = Schemas["TreeView"];
export type TreeSort = Schemas["TreeSort"];
export type ChildPage = Schemas["Child"];
export type VisitedFolder = Schemas["VisitedFolder"];
export type Backlink = Schemas["Backlink"];
export type PageLink = Schemas["PageLink"];
export type PageMeta = Schemas["PageMeta"];
export type Properties = Schemas["Properties"];
export type Property = Schemas["Property"];
export type PropertyKind = Schemas["PropertyKind"];
export type PageQuery = Schemas["PageQuery"];
export type PageCondition = Schemas["Condition"];
export type QueriedPage = Schemas["QueriedPage"];
export type PropertyCount = Schemas["PropertyCount"];
export type TaskList = Schemas["TaskList"];
export type TaskItem = Schemas["TaskItem"];
export type RenamedTag = Schemas["RenamedTag"];
export type PropertyValue = Schemas["PropertyValue"];
export type PagePicture = Schemas["PagePicture"];
export type LockStatus = Schemas["LockStatus"];
export type AutosaveBody = Schemas["JournalWrite"];
export type AutosaveEntry = Schemas["JournalEntry"];
export type RevisionList = Schemas["RevisionList"];
export type Revision = RevisionList["items"][number];
export type PageDiff = Schemas["PageDiff"];
export type RolledBackPage = Schemas["RolledBackPage"];
export type Asset = Schemas["Asset"];
export type ImportPreview = Schemas["ImportPreview"];
export type Migration = Schemas["Migration"];
export type UndoneMigration = Schemas["UndoneMigration"];
export type JobKind = Schemas["JobKind"];
export type Job = Schemas["Job"];
export type CacheState = Schemas["Cache"];
export type Root = Schemas["Root"];
export type FolderEntry = Schemas["FolderEntry"];
export type FolderCompanion = Schemas["FolderCompanion"];
export type FolderGroup = Schemas["FolderGroup"];
export type FolderListing = Schemas["FolderListing"];
export type FolderSize = Schemas["FolderSize"];
export type PictureOverview = Schemas["PictureOverview"];
export type RootPicture = Schemas["RootPicture"];
export type FilesDone = Schemas["FilesDone"];
export type FileConflict = Schemas["FileConflict"];
export type TargetFolders = Settings["target_folders"];
export type FileOperation = Schemas["FileOperation"];
export type FilesMarked = Schemas["FilesMarked"];
export type Marks = Schemas["Marks"];
/** A part of a picture in the orientation of its file, before its turn. */
export type Crop = Schemas["CropArea"];
/** The marks of a picture, with the place of each. */
export type PictureMarks = Schemas["MarksWithOrigins"];
export type KnownTag = Schemas["KnownTag"];
export type KnownTags = Schemas["KnownTags"];
export type PictureTagRename = Pick<Schemas["PictureTagRename"], "from" | "to" | "albums">;
export type PictureTagEffects = Schemas["PictureTagEffects"];
export type ErrorBody = Schemas["Error"];
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

export interface TaskListQuery {
  tag?: string;
  sort?: "due" | "page";
  offset?: number;
  limit?: number;
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

export type SortKey = "name" | "taken" | "modified" | "size" | "type" | "rating" | "camera" | "pixels" | "duration";
export type SortOrder = "asc" | "desc";

export interface FolderQuery {
  root: string;
  path: EncodedPath;
  /** "album" is the order of the album that the search names. */
  sort?: SortKey | "album";
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
  /** The query of a search, whose pictures are listed in place of a folder: the root is then `SEARCH_ROOT`. */
  search?: string;
  taken_to?: string;
  /** The first sort key; the answer lists the groups. "folder" includes everything below the folder. */
  group?: "day" | "month" | "year" | "camera" | "rating" | "folder";
  offset?: number;
  limit?: number;
  /** The name of an entry that the answer must include, if the entry exists. */
  around?: EncodedPath | null;
  /** The `listing` of the first answer; required for further parts of it. */
  listing?: string | null;
  /** True if a raw file and its JPEG, or the parts of a Live Photo, are one entry. */
  joined?: boolean;
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
  /** The turn of a listing; none if absent. */
  turn?: number | null;
  /** The crop of a listing; the whole picture if absent. */
  crop?: Crop | null;
  /** True if the thumbnail is not in view yet: those in view are made first. */
  ahead?: boolean;
}

/** The treatment of a page that an import finds at its path. */
export type OnConflict = "fail" | "skip" | "replace";
/** What an export is for: an import, Obsidian, or a browser without a server. */
export type ExportForm = "archive" | "full" | "vault" | "site";

/** The source of the archive: a file from the browser, or a file chosen in the window's dialog. */
export type ArchiveSource = { file: Blob } | { grant: string };

/** A file or folder below a root. */
export interface FilePlace {
  root: string;
  path: EncodedPath;
}

/** A change of the ratings, tags, captions, turns, crops and dates of pictures. */
export interface MarksChange {
  /** 1 to 5; -1 rejects, 0 removes the rating. */
  rating?: number;
  add?: readonly string[];
  remove?: readonly string[];
  /** An empty one removes the caption. */
  caption?: string;
  /** True to save the caption only for pictures without one. */
  keepsCaption?: boolean;
  /** A turn of the picture as it is shown, as the EXIF orientation with the same effect. */
  turn?: number;
  /** The part of the picture that is shown; all of it removes the crop. */
  crop?: Crop;
  /** The time of capture, `2026-11-20T09:30:00`; an empty one restores that of the file. */
  taken?: string;
  /** The number of seconds by which the time of capture is moved. */
  shift?: number;
  /** True if each item stands for all files of its picture. */
  joined?: boolean;
  /** True for an undo: deletes a sidecar that this program created if no mark is left in it. */
  discardEmpty?: boolean;
}

/** How pictures are exported. */
export type PictureExport = Omit<Schemas["ExportPictures"], "items" | "to">;

/** How a contact sheet is made. */
export type SheetRequest = Omit<Schemas["ContactSheet"], "items" | "to">;

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

/** Notes of another program: a file from the browser, or a folder or file chosen in the window's dialog. */
export type NotesSource = { file: File } | { grant: string };

/** The source of a copy: a page's file by its id, a text, or the whole wiki as an archive. */
export type FileToSave = { asset: string } | { text: { name: string; text: string } } | { export: { form: ExportForm; at?: string } };

export interface FilesDropped {
  grants: GrantedFile[];
  /** The position in the page, in CSS pixels. */
  x: number;
  y: number;
  /** True if the files are to be moved rather than copied. */
  moves: boolean;
}

export interface WindowClosing {
  /** True if the user may be asked to stay; false if the session ends. */
  may_stay: boolean;
}

/** A place below a root; in base64 if it is not UTF-8. */
export type PlaceFields = { root: string } & ({ path: string } | { path_bytes: string });

export type ZoomChange = "in" | "out" | "reset";

/** The abilities of the desktop window; a browser has none of them. */
/** A tab of the window, or its second pane: the path and query of its view, and its scroll position in CSS pixels. */
export interface WindowTab {
  address: string;
  title: string;
  scroll: number;
}

export interface WindowTabs {
  tabs: WindowTab[];
  /** The index of the shown tab. */
  active: number;
  beside: WindowTab | null;
  /** The first pane's share of the width, in percent. */
  share: number;
}

export interface DesktopNotification {
  title: string;
  body: string;
  /** A path with its query. */
  address: string;
}

export interface DesktopApi {
  /** The system's folder dialog; null if the user cancelled. `purpose` selects its text, "pictures" if absent. */
  pickFolder(purpose?: "pictures" | "backup" | "hashes" | "copies" | "cache" | "notes" | "mirror"): Promise<{ grant: string; name: string } | null>;
  /** The system's file dialog; empty if the user cancelled. `purpose`: files for a page if absent, one archive, or one file of notes. */
  pickFiles(purpose?: "page" | "archive" | "notes"): Promise<GrantedFile[]>;
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
  /** Gives other programs the files instead of the link that the current drag carries. */
  dragFiles(link: string, places: readonly PlaceFields[]): Promise<void>;
  /** Shows the folder of all data in the system's file manager. */
  openDataFolder(): Promise<void>;
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
  /** Records the tabs that the next start restores. */
  noteTabs(tabs: WindowTabs): Promise<void>;
  /** The tabs that were recorded last; null at a first start. */
  tabs(): Promise<WindowTabs | null>;
  /** Changes the size of everything in the window; returns it in percent. */
  zoom(change: ZoomChange): Promise<number>;
  toggleFullscreen(): Promise<void>;
  /** Copies a text for the report of a problem. */
  copyDiagnostics(): Promise<void>;
  /** Shows a desktop notification unless the user is in the window; its action shows the address there. */
  notify(notification: DesktopNotification): Promise<void>;
  /** Opens the notices of third-party works with the system's program for texts. */
  openNotices(): Promise<void>;
  /** Sets the spell checker; without languages, those of the system. Returns the languages that have a dictionary. */
  setSpelling(spelling: Settings["spelling"]): Promise<string[]>;
  /** Shows the print dialog, and waits until the page has been printed; false if the user cancelled. */
  print(): Promise<boolean>;
  /** Writes the page as a PDF file where the user chooses; null if the user cancelled. */
  savePdf(name: string): Promise<{ name: string } | null>;
  /** Notifies the shell that all listeners are registered. */
  listening(): Promise<void>;
  /** The page has been drawn. */
  drawn(): Promise<void>;
  onWindowClosing(handler: (closing: WindowClosing) => void): Promise<() => void>;
  /** A later start named a folder or a picture; the address is that of its page. */
  onOpenPlace(handler: (place: { address: string }) => void): Promise<() => void>;
  /** A start requested a command: the id of a shortcut. */
  onRunCommand(handler: (request: { command: string }) => void): Promise<() => void>;
  /** Reports a followed link that the page could not observe: by the middle button, or into a window of its own. */
  onOutsideLink(handler: (link: { url: string }) => void): Promise<() => void>;
}

export type Backend = ReturnType<typeof createHttpBackend>;
export type UsersApi = Backend["users"];
export type SettingsApi = Backend["settings"];
export type PagesApi = Backend["pages"];
export type LocksApi = Backend["locks"];
export type AutosaveApi = Backend["autosave"];
export type RevisionsApi = Backend["revisions"];
export type AssetsApi = Backend["assets"];
export type JobsApi = Backend["jobs"];
export type ArchiveApi = Backend["archive"];
export type ImportsApi = Backend["imports"];
export type CacheApi = Backend["cache"];
export type RootsApi = Backend["roots"];
export type FoldersApi = Backend["folders"];
export type FilesApi = Backend["files"];
