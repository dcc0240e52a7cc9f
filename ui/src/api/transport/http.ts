// The operations of the backend over the client of the API, in a browser and in the window. `backend.ts` names their types.
import type {
  AddedFile,
  ArchiveSource,
  NotesSource,
  AutosaveBody,
  DesktopApi,
  ExistingFile,
  ExportForm,
  FilePlace,
  FolderQuery,
  FolderWatch,
  KnownTag,
  PictureTagRename,
  MarksChange,
  MirrorFile,
  OnConflict,
  PageListQuery,
  PageQuery,
  PictureExport,
  SheetRequest,
  PropertyValue,
  RenamedTag,
  RolledBackPage,
  Root,
  SaveOptions,
  SaveResult,
  TaskListQuery,
  SettingsPatch,
  ThumbQuery,
  TreeView,
} from "../backend";
import { ownPlace, SEARCH_ROOT } from "../addresses/found-address";
import { type ApiClient, createClient, data, placeFields, placeQuery, rawPath, text } from "./client";
import type { ApiEvents } from "../events/events";
import { duplicatesApi } from "../duplicates";
import { hashesApi } from "../hashes";
import { lockProof, pageLockOf } from "./headers";
import { movesApi } from "../moves";
import { type EncodedPath, type NamedBytes, ROOT_PATH } from "../names";
import { type ApiFetch, address, type Gate } from "./request";
import type { SearchAnswer, SearchKind, SearchOptions } from "../search";
import { sessionsApi } from "../sessions";
import { tokensApi } from "../tokens";
import type { Command } from "./transport";
import { albumsApi } from "../albums";
import { ttlApi } from "../ttl";
import { visionApi } from "../vision";

/** In the desktop window, with a caller of commands and the window's abilities. */
export function createHttpBackend(fetcher: ApiFetch, events: ApiEvents, command: Command | null = null, desktop: DesktopApi | null = null, gate?: Gate) {
  const client = createClient(fetcher, command, gate);
  return {
    users: usersApi(client),
    settings: settingsApi(client),
    sessions: sessionsApi(client),
    tokens: tokensApi(client),
    pages: pagesApi(client),
    locks: locksApi(client),
    revisions: revisionsApi(client),
    moves: movesApi(client),
    assets: assetsApi(client),
    autosave: autosaveApi(client),
    jobs: jobsApi(client),
    archive: archiveApi(client),
    backups: backupsApi(client),
    mirror: mirrorApi(client),
    imports: importsApi(client),
    importedTexts: importedTextsApi(client),
    cache: cacheApi(client),
    albums: albumsApi(client),
    duplicates: duplicatesApi(client),
    ttl: ttlApi(client),
    roots: rootsApi(client),
    folders: foldersApi(client, fetcher),
    files: filesApi(client),
    hashes: hashesApi(client),
    search: searchApi(client),
    vision: visionApi(client),
    events,
    /** null in a browser. */
    desktop,
  };
}

function usersApi(client: ApiClient) {
  return {
    create: (name: string) => data(client.POST("/api/users", { body: { name } })),
    me: (signal?: AbortSignal) => data(client.GET("/api/users/me", { signal })),
    rename: (name: string) => data(client.PATCH("/api/users/me", { body: { name } })),
    /** The user's recently read pages, the latest first. */
    visits: (signal?: AbortSignal) => data(client.GET("/api/users/me/visits", { signal })),
    /** Records that the user reads a page. */
    async visit(id: string) {
      await client.POST("/api/users/me/visits", { params: { query: { page_id: id } } });
    },
    /** The pages that the user has pinned, in the order of pinning. */
    pins: (signal?: AbortSignal) => data(client.GET("/api/users/me/pins", { signal })),
    async pin(id: string) {
      await client.POST("/api/users/me/pins", { params: { query: { page_id: id } } });
    },
    async unpin(id: string) {
      await client.DELETE("/api/users/me/pins", { params: { query: { page_id: id } } });
    },
    /** The appearance of the tree of pages, as the user left it. */
    tree: (signal?: AbortSignal) => data(client.GET("/api/users/me/tree", { signal })),
    async setTree(view: TreeView) {
      await client.PUT("/api/users/me/tree", { body: view });
    },
    /** The user's recently visited picture folders, the latest first. */
    folders: (signal?: AbortSignal) => data(client.GET("/api/users/me/folders", { signal })),
    async visitFolder(folder: FilePlace) {
      await client.POST("/api/users/me/folders", { params: { query: placeQuery(folder) } });
    },
    /** Takes a folder off that list. */
    async forgetFolder(folder: FilePlace) {
      await client.DELETE("/api/users/me/folders", { params: { query: placeQuery(folder) } });
    },
  };
}

function settingsApi(client: ApiClient) {
  return {
    get: (signal?: AbortSignal) => data(client.GET("/api/settings", { signal })),
    /** The version of the program, and the folder of its data. */
    about: (signal?: AbortSignal) => data(client.GET("/api/about", { signal })),
    patch: (changes: SettingsPatch) => data(client.PATCH("/api/settings", { body: changes })),
  };
}

function pagesApi(client: ApiClient) {
  return {
    list: ({ withDeleted, ...query }: PageListQuery = {}, signal?: AbortSignal) =>
      data(client.GET("/api/pages", { params: { query: { ...query, with_deleted: withDeleted } }, signal })),
    /** Searches titles and paths; returns the best matches first, at most 100. */
    search: (q: string, limit?: number, signal?: AbortSignal) => data(client.GET("/api/pages/search", { params: { query: { q, limit } }, signal })),
    /** `at` is the moment as of which a page is read; `past.ts` passes it. */
    resolve: (path: string, signal?: AbortSignal, at?: string) => data(client.GET("/api/pages/resolve", { params: { query: { path, at } }, signal })),
    /** Creates a draft and locks it, in one step. */
    async create(path: string) {
      const answer = client.POST("/api/pages", { params: { query: { path } } });
      const { id } = await data(answer);
      return { id, lock: pageLockOf((await answer).response) };
    },
    async source(id: string, revision?: number | null, signal?: AbortSignal, at?: string) {
      const params = { path: { page_id: id }, query: { rev: revision ?? undefined, at } };
      const answer = client.GET("/api/pages/{page_id}/source", { params, parseAs: "text", signal });
      const { headers } = (await answer).response;
      return {
        text: await text(answer),
        revision: Number(headers.get("X-Page-Revision")),
        etag: headers.get("ETag") ?? "",
        deleted: headers.has("X-Page-Deleted"),
      };
    },
    async save(id: string, source: string, { token, etag, tab, amend, keepLock, read, signal }: SaveOptions): Promise<SaveResult> {
      const based = { ...(etag !== undefined && { "If-Match": etag }), ...(read !== undefined && { "X-Page-Read": read }) };
      const header = { ...proofOf(token), ...based };
      const answer = client.PUT("/api/pages/{page_id}/source", {
        params: { path: { page_id: id }, query: { amend, tab, keep_lock: keepLock }, header },
        body: source,
        headers: { "Content-Type": "text/markdown; charset=utf-8" },
        signal,
      });
      const saved = await data(answer);
      return { ...saved, etag: (await answer).response.headers.get("ETag") ?? "" };
    },
    meta: (id: string, revision?: number | null, signal?: AbortSignal, at?: string) => {
      const params = { path: { page_id: id }, query: { rev: revision ?? undefined, at } };
      return data(client.GET("/api/pages/{page_id}/meta", { params, signal }));
    },
    /** The pages that fit a query. */
    query: (query: PageQuery, signal?: AbortSignal) => data(client.POST("/api/pages/query", { body: query, signal })),
    /** The open tasks of all pages that fit a query. */
    tasks: (query: TaskListQuery, signal?: AbortSignal) => data(client.GET("/api/tasks", { params: { query }, signal })),
    /** Changes one property of the newest text, whose tag is `etag`; null removes it. */
    property: (id: string, change: { name: string; value: PropertyValue | null }, etag: string) => {
      const params = { path: { page_id: id }, header: { "If-Match": etag } };
      return data(client.PATCH("/api/pages/{page_id}/properties", { params, body: change }));
    },
    path: async (id: string, signal?: AbortSignal) => (await data(client.GET("/api/pages/{page_id}/path", { params: { path: { page_id: id } }, signal }))).path,
    /** The targets of a page's links, each target once. */
    links: (id: string, signal?: AbortSignal) => data(client.GET("/api/pages/{page_id}/links", { params: { path: { page_id: id } }, signal })),
    /** The pages that link to a page, in the order in which they were created; `after` is the page to continue from. */
    backlinks: (id: string, query?: { after?: string; limit?: number }, signal?: AbortSignal) =>
      data(client.GET("/api/pages/{page_id}/backlinks", { params: { path: { page_id: id }, query }, signal })),
  };
}

function searchApi(client: ApiClient) {
  return {
    /** Finds results of one kind; docs/SEARCH.md has the grammar of queries. */
    find: <K extends SearchKind>(kind: K, q: string, { anchor, ...options }: SearchOptions = {}, signal?: AbortSignal) => {
      const query = { q, kind, ...options, anchor: anchor ?? undefined };
      // An answer has items of the requested kind only.
      return data(client.GET("/api/search", { params: { query }, signal })) as Promise<SearchAnswer<K>>;
    },
    /** Folders of pictures by their names, also those that were never visited, the best first; at most 20. */
    folders: (q: string, signal?: AbortSignal) => data(client.GET("/api/search/folders", { params: { query: { q } }, signal })),
    /** Renames a tag, and those below it, in all pages; returns what undoing requires. */
    renameTag: (from: string, to: string) => data(client.POST("/api/tags/rename", { body: { from, to } })),
    async undoTagRename(renamed: RenamedTag) {
      await client.POST("/api/tags/rename/undo", { body: renamed });
    },
    /** The properties of all pages, by name, without tags. */
    properties: (signal?: AbortSignal) => data(client.GET("/api/properties", { signal })),
    /** All tags, by name. */
    tags: (signal?: AbortSignal) => data(client.GET("/api/tags", { signal })),
    /** Paths that are linked to but have no page, those with most links first. */
    wanted: (signal?: AbortSignal) => data(client.GET("/api/pages/wanted", { signal })),
    /** Pages that no other page links to, by path. */
    orphans: (signal?: AbortSignal) => data(client.GET("/api/pages/orphans", { signal })),
    /** Pages whose text contains the title of a page without a link to it; at most 100. */
    mentions: (id: string, signal?: AbortSignal) =>
      data(client.GET("/api/pages/{page_id}/mentions", { params: { path: { page_id: id } }, signal })) as Promise<SearchAnswer<"page">>,
  };
}

function locksApi(client: ApiClient) {
  return {
    /** `takeOver` replaces the user's own lock if its tab or program has ended; the old token becomes invalid. */
    async acquire(id: string, takeOver?: boolean) {
      const params = { path: { page_id: id }, query: { take_over: takeOver } };
      return pageLockOf((await client.POST("/api/pages/{page_id}/lock", { params })).response);
    },
    /** Returns a new token; the old one becomes invalid. */
    async renew(id: string, token: string) {
      const params = { path: { page_id: id }, header: lockProof(token) };
      return pageLockOf((await client.PUT("/api/pages/{page_id}/lock", { params })).response);
    },
    status: (id: string, signal?: AbortSignal) => data(client.GET("/api/pages/{page_id}/lock", { params: { path: { page_id: id } }, signal })),
    async release(id: string, token: string) {
      await client.DELETE("/api/pages/{page_id}/lock", { params: { path: { page_id: id }, header: lockProof(token) } });
    },
    /**
     * For a page that is being closed: true if the browser has accepted the message. Such a page can only send a beacon,
     * which has no headers, so its body carries the token.
     */
    releaseOnClose: (id: string, token: string) => navigator.sendBeacon(`/api/pages/${encodeURIComponent(id)}/lock/release`, token),
  };
}

function revisionsApi(client: ApiClient) {
  return {
    /** Newest first; `before` is the revision to continue from. */
    list: (id: string, query: { before?: number; limit?: number } = {}, signal?: AbortSignal) => data(client.GET("/api/pages/{page_id}/revisions", { params: { path: { page_id: id }, query }, signal })),
    /** `from` may be the newer one. */
    diff: (id: string, from: number, to: number, signal?: AbortSignal) =>
      data(client.GET("/api/pages/{page_id}/diff", { params: { path: { page_id: id }, query: { from, to } }, signal })),
    /** Makes the text of that revision the newest one. A locked page needs its token, and stays locked. */
    rollback: (id: string, to: number, token?: string) => {
      const params = { path: { page_id: id }, query: { rollback_to: to }, header: proofOf(token) };
      // Only the removal of revisions has an answer without a body.
      return data(client.POST("/api/pages/{page_id}/revision", { params })) as Promise<RolledBackPage>;
    },
    /** Permanently removes all revisions before that one. */
    async compact(id: string, keepFrom: number, token?: string) {
      const params = { path: { page_id: id }, query: { keep_from: keepFrom }, header: proofOf(token) };
      await client.POST("/api/pages/{page_id}/revision", { params });
    },
    /** The page's history as Markdown, the newest revisions first: at most a thousand, those before `before`. */
    markdown: (id: string, query: { before?: number } = {}, signal?: AbortSignal) =>
      text(client.GET("/api/pages/{page_id}/history", { params: { path: { page_id: id }, query }, parseAs: "text", signal })),
  };
}

/** The header that proves a lock, if there is one. */
function proofOf(token: string | undefined) {
  return token === undefined ? {} : lockProof(token);
}

function assetsApi(client: ApiClient) {
  return {
    list: (id: string, withDeleted?: boolean, signal?: AbortSignal) =>
      data(client.GET("/api/pages/{page_id}/assets", { params: { path: { page_id: id }, query: { with_deleted: withDeleted } }, signal })),
    /** Adds a file to a page or a draft and returns its name. If the name is taken, a similar free one is used. */
    async upload(id: string, fileName: string, contents: Blob, signal?: AbortSignal) {
      const answer = client.POST("/api/pages/{page_id}/assets/{file_name}", {
        params: { path: { page_id: id, file_name: fileName }, query: { free_name: true } },
        body: contents,
        headers: { "Content-Type": "application/octet-stream" },
        signal,
      });
      // The answer has the name whenever a free one was asked for.
      return (await data(answer)).file_name as string;
    },
    /** Copies pictures of open folders to a page; a failure of one does not affect the others. */
    addFromFiles: (id: string, items: readonly FilePlace[]) => {
      const body = { items: items.map(placeFields), free_names: true };
      // The document makes nullable fields optional; the server omits none.
      return data(client.POST("/api/pages/{page_id}/assets", { params: { path: { page_id: id } }, body })) as Promise<AddedFile[]>;
    },
    /** Adds files that the user chose or dropped to a page or a draft; `freeNames` replaces names that are taken. */
    addFiles: (id: string, grants: readonly string[], freeNames: boolean) => {
      const body = { grants: [...grants], free_names: freeNames };
      return data(client.POST("/api/pages/{page_id}/assets", { params: { path: { page_id: id } }, body })) as Promise<AddedFile[]>;
    },
    rename: (id: string, fileName: string) => data(client.PATCH("/api/assets/{asset_id}", { params: { path: { asset_id: id } }, body: { file_name: fileName } })),
    /** Renames the file also in the newest text of its page. */
    renameInText: (id: string, fileName: string) => data(client.POST("/api/assets/{asset_id}/rename", { params: { path: { asset_id: id } }, body: { file_name: fileName } })),
    /** Moves the file to the trash, or deletes it permanently (`hard`). */
    async remove(id: string, hard?: boolean) {
      await client.DELETE("/api/assets/{asset_id}", { params: { path: { asset_id: id }, query: { hard } } });
    },
    async restore(id: string) {
      await client.POST("/api/assets/{asset_id}/restore", { params: { path: { asset_id: id } } });
    },
    /** The orphaned assets, whose pages were deleted permanently, the oldest first; all, or a part of them. */
    orphans: (part?: { offset: number; limit: number }, signal?: AbortSignal) => data(client.GET("/api/assets/zombies", { params: { query: part }, signal })),
    contentsUrl: (id: string) => address("/api/asset", { id }),
    /** A thumbnail, cut to a square; `size` in pixels of the screen. */
    thumbUrl: (id: string, size: number) => address("/api/asset", { id, size: `${size}x${size}`, mode: "crop", format: "jpg" }),
    /** Assigns a page to an orphaned asset, or another page to a file. */
    async setOwner(id: string, pageId: string) {
      await client.POST("/api/assets/{asset_id}/owner", { params: { path: { asset_id: id }, query: { page_id: pageId } } });
    },
  };
}

function autosaveApi(client: ApiClient) {
  return {
    /**
     * `stale_sequence` if a later text is stored already, or the tab has saved since; `journal_full` if there are too
     * many entries.
     */
    async put(pageId: string, tab: string, body: AutosaveBody) {
      // The last write before a tab closes must still arrive. Browsers accept at most 64 KiB of such bodies at a time;
      // a character is at most six bytes of JSON and UTF-8.
      const keepalive = body.source.length * 6 < 60_000;
      await client.PUT("/api/journal/{page_id}", { params: { path: { page_id: pageId }, query: { tab } }, body, keepalive });
    },
    /** The autosave entries of a path, or all of the user's. A long text is not in the list (`source` is null). */
    list: (path: string | null, signal?: AbortSignal) => data(client.GET("/api/journals", { params: { query: { path: path ?? undefined } }, signal })),
    /** An autosave entry with its whole text. */
    read: (id: string, signal?: AbortSignal) => data(client.GET("/api/journals/{journal_id}", { params: { path: { journal_id: id } }, signal })),
    /** `stale_sequence` if a later text than that of `seq` is stored. */
    async remove(id: string, seq?: number) {
      await client.DELETE("/api/journals/{journal_id}", { params: { path: { journal_id: id }, query: { seq } } });
    },
  };
}

function jobsApi(client: ApiClient) {
  return {
    /** Running and recently ended jobs, the newest first. */
    list: (signal?: AbortSignal) => data(client.GET("/api/jobs", { signal })),
    get: (id: string, signal?: AbortSignal) => data(client.GET("/api/jobs/{id}", { params: { path: { id } }, signal })),
    pause: (id: string, paused: boolean) => data(client.PATCH("/api/jobs/{id}", { params: { path: { id } }, body: { paused } })),
    /** Cancels a job as soon as possible. */
    async cancel(id: string) {
      await client.DELETE("/api/jobs/{id}", { params: { path: { id } } });
    },
  };
}

/** Operations on the whole wiki. All but the export's address start jobs and return their ids. */
function archiveApi(client: ApiClient) {
  return {
    /** Answers with an archive of all pages and their files. */
    exportUrl: (form: ExportForm, at: string | null) => address("/api/export", at === null ? { form } : { form, at }),
    async import(archive: ArchiveSource, onConflict: OnConflict) {
      const params = { query: { on_conflict: onConflict } };
      // A browser may report another type of the file than the server accepts, or none.
      const options = "grant" in archive ? { body: archive } : { body: archive.file, headers: { "Content-Type": "application/zip" } };
      return (await data(client.POST("/api/import", { params, ...options }))).id;
    },
    /** Lists the backups below the data folder. */
    backups: (signal?: AbortSignal) => data(client.GET("/api/backups", { signal })),
    /** Checks everything, and repairs what can be repaired. */
    check: async (repair: boolean) => (await data(client.POST("/api/check", { params: { query: { repair } } }))).id,
    /** Writes to the folder that the user chose, or below the data folder. */
    backup: async (grant: string | null) => (await data(client.POST("/api/backup", grant === null ? {} : { body: { grant } }))).id,
  };
}

/** The contents of backups. */
function backupsApi(client: ApiClient) {
  return {
    /** The pages of a backup whose path or title contains `q`. */
    pages: (name: string, q: string, limit: number, signal?: AbortSignal) =>
      data(client.GET("/api/backups/{name}/pages", { params: { path: { name }, query: { q, limit } }, signal })),
    page: (name: string, pageId: string, signal?: AbortSignal) =>
      data(client.GET("/api/backups/{name}/pages/{page_id}", { params: { path: { name, page_id: pageId } }, signal })),
    /** Gives a page the text that it has in a backup, by a new revision, or restores or creates it. */
    bringPageBack: (name: string, pageId: string) =>
      data(client.POST("/api/backups/{name}/pages/{page_id}/restore", { params: { path: { name, page_id: pageId } } })),
    /** Hash records and sidecars in a backup, and their number. */
    records: (name: string, limit: number, signal?: AbortSignal) =>
      data(client.GET("/api/backups/{name}/records", { params: { path: { name }, query: { limit } }, signal })),
    /** Writes those that are missing beside the originals. */
    bringRecordsBack: (name: string) => data(client.POST("/api/backups/{name}/records/restore", { params: { path: { name } } })),
    /** Makes a folder that the user chose the second place. */
    choosePlace: (grant: string) => data(client.PUT("/api/backups/place", { body: { grant } })),
    async forgetPlace() {
      await client.DELETE("/api/backups/place");
    },
    /** Copies the newest backup to the second place; returns the id of the job. */
    copyToPlace: async () => (await data(client.POST("/api/backups/place/copy"))).id,
    /** Prepares a backup to take the place of the data at the next start; returns the id of the job. */
    goBack: async (name: string) => (await data(client.POST("/api/backups/{name}/go-back", { params: { path: { name } } }))).id,
    /** Keeps the present data. */
    async cancelGoBack() {
      await client.DELETE("/api/backups/go-back");
    },
    bringFileBack: (name: string, assetId: string) =>
      data(client.POST("/api/backups/{name}/files/{asset_id}/restore", { params: { path: { name, asset_id: assetId } } })),
  };
}

/** The mirror: a folder that follows the wiki. */
function mirrorApi(client: ApiClient) {
  return {
    state: (signal?: AbortSignal) => data(client.GET("/api/mirror", { signal })),
    /** Makes a folder that the user chose the mirror. */
    choose: (grant: string) => data(client.PUT("/api/mirror", { body: { grant } })),
    /** Brings it up to date. */
    update: () => data(client.POST("/api/mirror")),
    /** Ends it; its files stay. */
    async forget() {
      await client.DELETE("/api/mirror");
    },
    switchOn: (is_on: boolean) => data(client.PUT("/api/mirror/switch", { body: { is_on } })),
    /** Compares a file that was edited outside with its page. */
    difference: (entry: string) => data(client.GET("/api/mirror/difference", { params: { query: { entry } } })),
    /** Makes a file a revision of its page. */
    takeOver: (file: MirrorFile) => data(client.POST("/api/mirror/take-over", { body: file })),
    /** Writes the page over a file. */
    writeAgain: (file: MirrorFile) => data(client.POST("/api/mirror/write-again", { body: file })),
    /** Forgets a file; it stays. */
    leave: (entry: string) => data(client.POST("/api/mirror/leave", { body: { entry } })),
  };
}

/** Imported texts whose pages were changed here as well. */
function importedTextsApi(client: ApiClient) {
  return {
    list: async (signal?: AbortSignal) => (await data(client.GET("/api/imported-texts", { signal }))).items,
    /** Compares a text with its page. */
    difference: (id: string) => data(client.GET("/api/imported-texts/{id}", { params: { path: { id } } })),
    /** Makes a text a revision of its page. */
    takeOver: (id: string, version: string) => data(client.POST("/api/imported-texts/{id}/take-over", { params: { path: { id } }, body: { version } })),
    /** Keeps the page as it is. */
    async keep(id: string) {
      await client.POST("/api/imported-texts/{id}/keep", { params: { path: { id } } });
    },
  };
}

/** Imports of notes from other programs. */
function importsApi(client: ApiClient) {
  return {
    /** Reads a source; returns the id of the job, whose result is an `ImportPreview`. */
    async read(source: NotesSource) {
      const params = { query: "grant" in source ? {} : { name: source.file.name } };
      const options = "grant" in source ? { body: source } : { body: source.file, headers: { "Content-Type": "application/octet-stream" } };
      return (await data(client.POST("/api/imports", { params, ...options }))).id;
    },
    preview: (id: string, into: string) => data(client.GET("/api/imports/{id}/preview", { params: { path: { id }, query: { into } } })),
    /** Imports what was read; returns the id of the job. */
    run: async (id: string, into: string) => (await data(client.POST("/api/imports/{id}/run", { params: { path: { id }, query: { into } } }))).id,
    /** The latest first. */
    list: async () => (await data(client.GET("/api/imports"))).items,
    undo: (id: string) => data(client.POST("/api/imports/{id}/undo", { params: { path: { id } } })),
  };
}

function cacheApi(client: ApiClient) {
  return {
    /** The cache's usage, and its counters since the start. */
    stats: (signal?: AbortSignal) => data(client.GET("/api/cache", { signal })),
    /** Deletes the least recently used thumbnails; returns the id of the job. */
    gc: async () => (await data(client.POST("/api/cache/gc"))).id,
    /** Takes effect at once. `set_by_environment` if the environment sets it. */
    setLimit: (limit_bytes: number) => data(client.PUT("/api/cache/limit", { body: { limit_bytes } })),
    /**
     * Moves the cache to a chosen folder at the next start. `set_by_environment`, or `invalid_value` if the folder
     * contains other files.
     */
    setFolder: (grant: string) => data(client.PUT("/api/cache/folder", { body: { grant } })),
    /** Deletes the thumbnails and folder indexes of a group, or all of them (null); returns the id of the job. */
    clear: async (group: string | null) => (await data(client.POST("/api/cache/clear", { body: group === null ? {} : { group } }))).id,
  };
}

function rootsApi(client: ApiClient) {
  return {
    list: (signal?: AbortSignal) => data(client.GET("/api/roots", { signal })),
    add: (source: { grant: string } | { path: string }) => data(client.POST("/api/roots", { body: source })),
    async remove(id: string) {
      await client.DELETE("/api/roots/{root}", { params: { path: { root: id } } });
    },
  };
}

/**
 * The page distinguishes states of a picture by its id. The version also changes if another file has taken the
 * picture's name, size and time.
 */
function identifyByVersion(entry: { id?: string | null; version?: string | null }): void {
  if (entry.version) entry.id = entry.version;
}

function foldersApi(client: ApiClient, fetcher: ApiFetch) {
  return {
    async list({ root, path, around, has_caption, listing: of, search, ...plain }: FolderQuery, signal?: AbortSignal) {
      const part = { around: around ? rawPath(around) : undefined, listing: of ?? undefined };
      const ask = async () => {
        if (root !== SEARCH_ROOT) {
          const query = { ...plain, ...placeQuery({ root, path }), ...part, has_caption: has_caption && has_caption === "true" };
          return data(client.GET("/api/folders", { params: { query }, signal }));
        }
        const { sort, order, group, offset, limit, joined } = plain;
        const query = { q: search ?? "", sort, order, group, offset, limit, joined, ...part };
        return data(client.GET("/api/search/pictures", { params: { query }, signal }));
      };
      const listing = await ask();
      listing.entries.flatMap((one) => [one, ...(one.companions ?? [])]).forEach(identifyByVersion);
      return listing;
    },
    /** The pictures that stand for a folder, at most four, with folders relative to it. */
    async covers(folder: FilePlace, signal?: AbortSignal) {
      const covers = await data(client.GET("/api/folders/covers", { params: { query: placeQuery(folder) }, signal }));
      covers.forEach(identifyByVersion);
      return covers;
    },
    /** The numbers of pictures in folders and below them, at most 200; null while a root is being listed. */
    counts: (folders: readonly FilePlace[], signal?: AbortSignal) => data(client.POST("/api/folders/counts", { body: { items: folders.map(placeFields) }, signal })),
    /** The numbers of pictures of all roots, pictures of this day (`2026-11-30`) in earlier years, and new ones. */
    async overview(day: string, signal?: AbortSignal) {
      const overview = await data(client.GET("/api/folders/overview", { params: { query: { day } }, signal }));
      const pictures = [...overview.added, ...overview.years.flatMap((year) => year.pictures)];
      pictures.map(({ entry }) => entry).forEach(identifyByVersion);
      return overview;
    },
    /** Creates a folder in another one. */
    create: (parent: FilePlace, name: string) => data(client.POST("/api/folders", { body: { parent: placeFields(parent), name } })),
    /** The size of a folder's files, with `beneath` also of those below it, and the free space of its disk. */
    size: (folder: FilePlace, { beneath, signal }: { beneath?: boolean; signal?: AbortSignal } = {}) => {
      const query = { ...placeQuery(folder), beneath: beneath || undefined };
      return data(client.GET("/api/folders/size", { params: { query }, signal }));
    },
    /** Subscribes to the events of a folder for a while, with `beneath` also to those of the folders below it. */
    watch: (root: string, path: EncodedPath, { beneath, signal }: { beneath?: boolean; signal?: AbortSignal } = {}): Promise<FolderWatch> => {
      if (root === SEARCH_ROOT) return watchAllRoots(client, signal);
      const query = { ...placeQuery({ root, path }), beneath: beneath || undefined };
      return data(client.PUT("/api/folders/watch", { params: { query }, signal }));
    },
    info: (root: string, path: EncodedPath, signal?: AbortSignal) => data(client.GET("/api/image/info", { params: { query: placeQuery({ root, path }) }, signal })),
    thumbUrl: ({ id, size, turn, crop, ahead = false, ...place }: ThumbQuery) => {
      const { root, path } = ownPlace(place);
      const priority = ahead ? "next" : undefined;
      const part = crop ? [crop.x, crop.y, crop.width, crop.height, crop.angle].join(",") : undefined;
      return address("/thumb", { root, path: { raw: path }, size: `${size}x${size}`, mode: "shrink", format: "jpg", turn, crop: part, v: id, priority });
    },
    /** With the id, the address differs for each state of the file. */
    imageUrl: (root: string, path: EncodedPath, id?: string | null) => address("/api/image", { ...rawPlace({ root, path }), v: id, engine: engineFor(path) }),
    /** The frames of an animated AVIF, from an index on. */
    framesUrl: (root: string, path: EncodedPath, from: number, id?: string | null) => address("/api/image/frames", { ...rawPlace({ root, path }), from, v: id }),
    /** The thumbnail that a camera has embedded in the file, unchanged. */
    embeddedUrl: (root: string, path: EncodedPath, id?: string | null) => address("/api/image/embedded", { ...rawPlace({ root, path }), v: id }),
    /** Requests a picture's address again, to learn why the browser could not show it. */
    async probe(url: string, signal?: AbortSignal) {
      // Not by the client: the address is complete, and the document has no path for it.
      await fetcher(url, { method: "GET", signal: signal ?? null });
    },
  };
}

/** The number of folders that are watched with those below them at the same time. */
const WATCHED_ROOTS = 8;

/** Subscribes to the events of all open folders, as the pictures of a search are in any of them. */
async function watchAllRoots(client: ApiClient, signal?: AbortSignal): Promise<FolderWatch> {
  const roots = await data(client.GET("/api/roots", { signal }));
  const watched = roots.filter((root) => root.available).slice(0, WATCHED_ROOTS);
  const ask = ({ id }: Root) => data(client.PUT("/api/folders/watch", { params: { query: { ...placeQuery({ root: id, path: ROOT_PATH }), beneath: true } }, signal }));
  const watches = await Promise.all(watched.map(ask));
  return {
    watching: watches.some(({ watching }) => watching === "polling") ? "polling" : "events",
    renewed: watches.every(({ renewed }) => renewed),
    seconds: watches[0]?.seconds ?? 0,
  };
}

/** The user's operations on files. Each answer has the id by which the operation can be undone. */
function filesApi(client: ApiClient) {
  const allTags = (joined?: boolean, signal?: AbortSignal) => data(client.GET("/api/files/tags", { params: { query: { joined } }, signal }));
  const transfer = (kind: "move" | "copy") => (items: readonly FilePlace[], to: FilePlace, existing: ExistingFile, joined?: boolean) =>
    data(client.POST(`/api/files/${kind}`, { body: { items: items.map(placeFields), to: placeFields(to), existing, joined } }));
  return {
    /** Renames all of them or none; they may take each other's names. */
    rename: (folder: FilePlace, names: readonly { from: NamedBytes; to: string }[], joined?: boolean) => {
      const named = names.map(({ from, to }) => ({ from: from.name, from_bytes: from.name_bytes ?? undefined, to }));
      return data(client.POST("/api/files/rename", { body: { ...placeFields(folder), names: named, joined } }));
    },
    /** Compares files with those of the same names in a folder; nothing is changed. */
    conflicts: (items: readonly FilePlace[], to: FilePlace, joined?: boolean, signal?: AbortSignal) => {
      const body = { items: items.map(placeFields), to: placeFields(to), joined };
      return data(client.POST("/api/files/conflicts", { body, signal }));
    },
    move: transfer("move"),
    copy: transfer("copy"),
    /** Moves or copies files that were dropped from another program. */
    receive: (how: "move" | "copy", grants: string[], to: FilePlace, existing: ExistingFile) =>
      data(client.POST(`/api/files/${how}`, { body: { grants, to: placeFields(to), existing } })),
    bin: (items: readonly FilePlace[], joined?: boolean) => data(client.POST("/api/files/bin", { body: { items: items.map(placeFields), joined } })),
    /** Makes a PDF with rows of pictures. */
    contactSheet: (items: readonly FilePlace[], to: FilePlace, options: SheetRequest) =>
      data(client.POST("/api/files/contact-sheet", { body: { ...options, items: items.map(placeFields), to: placeFields(to) } })),
    /** Exports pictures as new files into a folder. */
    exportPictures: (items: readonly FilePlace[], to: FilePlace, options: PictureExport) =>
      data(client.POST("/api/files/export", { body: { ...options, items: items.map(placeFields), to: placeFields(to) } })),
    /** Rotates the file of a picture itself, by a turn of it as it is shown. */
    rotateFile: (item: FilePlace, turn: number) => data(client.POST("/api/files/rotate", { body: { item: placeFields(item), turn } })),
    /** Rates, tags and captions pictures. It is not recorded among the operations. */
    mark: (items: readonly FilePlace[], { rating, add, remove, caption, keepsCaption, turn, crop, taken, shift, discardEmpty, joined }: MarksChange) => {
      const body = {
        items: items.map(placeFields),
        rating,
        add_tags: add && [...add],
        remove_tags: remove && [...remove],
        caption,
        caption_if_absent: keepsCaption,
        turn,
        crop,
        taken,
        taken_shift: shift,
        discard_empty: discardEmpty,
        joined,
      };
      return data(client.POST("/api/files/marks", { body }));
    },
    marks: (place: FilePlace, signal?: AbortSignal, joined?: boolean) => data(client.GET("/api/files/marks", { params: { query: { ...placeQuery(place), joined } }, signal })),
    /** The tags known in a folder, the most used first. */
    async tags(folder: FilePlace, { beneath, joined, signal }: { beneath?: boolean; joined?: boolean; signal?: AbortSignal } = {}): Promise<KnownTag[]> {
      if (folder.root === SEARCH_ROOT && folder.path === ROOT_PATH) return (await allTags(joined, signal)).tags;
      const query = { ...placeQuery(folder), beneath: beneath || undefined, joined };
      return (await data(client.GET("/api/files/tags", { params: { query }, signal }))).tags;
    },
    /** The tags known in all open folders, the most used first. */
    allTags,
    /** The effects of a renaming of tags in all open folders, before it is started. */
    tagEffects: (rename: PictureTagRename, signal?: AbortSignal, joined?: boolean) => data(client.POST("/api/files/tags/effects", { body: { ...rename, joined }, signal })),
    /** Starts the job that renames tags in all open folders. */
    renameTags: (rename: PictureTagRename, joined?: boolean) => data(client.POST("/api/files/tags/rename", { body: { ...rename, joined } })),
    /** The operations that can be undone, the latest first. */
    operations: (signal?: AbortSignal) => data(client.GET("/api/files/operations", { signal })),
    /** All-or-nothing, unless `partly`. */
    undo: (id: string, partly = false) =>
      data(client.POST("/api/files/operations/{id}/undo", { params: { path: { id }, query: { partly: partly || undefined } } })),
    /** The pages that have a file with the same contents. */
    pagesWith: (picture: FilePlace, signal?: AbortSignal) => data(client.GET("/api/files/pages", { params: { query: placeQuery(picture) }, signal })),
  };
}

/** A place in the form of addresses. */
function rawPlace(place: FilePlace) {
  const { root, path } = ownPlace(place);
  return { root, path: { raw: path } };
}

/** A place in the form of request bodies. */

/** The pictures that engines may show on their side or in other colours: all do with WebP. */
const [MISHANDLED, MISHANDLED_BY_WEBKIT] = [/\.webp$/iu, /\.(?:webp|avif|a?png|jpe?g|jpe|jfif)$/iu];

/** Returns the engine, if the server has to know it for this picture. */
function engineFor(path: EncodedPath): string | undefined {
  const isWebKit = navigator.vendor.startsWith("Apple");
  const kinds = isWebKit ? MISHANDLED_BY_WEBKIT : MISHANDLED;
  return kinds.test(path) ? (isWebKit ? "webkit" : "other") : undefined;
}
