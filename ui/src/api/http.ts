// The backend over the client of the API, shared by a browser and the window.
import type {
  AddedFile,
  AssetsApi,
  Backend,
  CacheApi,
  ArchiveApi,
  ExistingFile,
  FilePlace,
  FilesApi,
  FoldersApi,
  JobsApi,
  AutosaveApi,
  LocksApi,
  PagesApi,
  RevisionsApi,
  RolledBackPage,
  RootsApi,
  SettingsApi,
  UsersApi,
} from "./backend";
import { type ApiClient, createClient, data, placeQuery, rawPath, text } from "./client";
import type { ApiEvents } from "./events";
import { hashesApi } from "./hashes";
import { lockProof, pageLockOf } from "./headers";
import { movesApi } from "./moves";
import { pathFields } from "./names";
import { type ApiFetch, address } from "./request";
import type { SearchAnswer, SearchApi, SearchKind } from "./search";
import { sessionsApi } from "./sessions";
import type { Command } from "./transport";
import { ttlApi } from "./ttl";
import { visionApi } from "./vision";

/** In the desktop window, with a caller of commands. */
export function createHttpBackend(fetcher: ApiFetch, events: ApiEvents, command: Command | null = null): Backend {
  const client = createClient(fetcher, command);
  return {
    users: usersApi(client),
    settings: settingsApi(client),
    sessions: sessionsApi(client),
    pages: pagesApi(client),
    locks: locksApi(client),
    revisions: revisionsApi(client),
    moves: movesApi(client),
    assets: assetsApi(client),
    autosave: autosaveApi(client),
    jobs: jobsApi(client),
    archive: archiveApi(client),
    cache: cacheApi(client),
    ttl: ttlApi(client),
    roots: rootsApi(client),
    folders: foldersApi(client, fetcher),
    files: filesApi(client),
    hashes: hashesApi(client),
    search: searchApi(client),
    vision: visionApi(client),
    events,
    desktop: null,
  };
}

function usersApi(client: ApiClient): UsersApi {
  return {
    list: (signal) => data(client.GET("/api/users", { signal })),
    create: (name) => data(client.POST("/api/users", { body: { name } })),
    me: (signal) => data(client.GET("/api/users/me", { signal })),
    rename: (name) => data(client.PATCH("/api/users/me", { body: { name } })),
    visits: (signal) => data(client.GET("/api/users/me/visits", { signal })),
    async visit(id) {
      await client.POST("/api/users/me/visits", { params: { query: { page_id: id } } });
    },
    folders: (signal) => data(client.GET("/api/users/me/folders", { signal })),
    async visitFolder(folder) {
      await client.POST("/api/users/me/folders", { params: { query: placeQuery(folder) } });
    },
    async forgetFolder(folder) {
      await client.DELETE("/api/users/me/folders", { params: { query: placeQuery(folder) } });
    },
  };
}

function settingsApi(client: ApiClient): SettingsApi {
  return {
    get: (signal) => data(client.GET("/api/settings", { signal })),
    patch: (changes) => data(client.PATCH("/api/settings", { body: changes })),
  };
}

function pagesApi(client: ApiClient): PagesApi {
  return {
    list: ({ withDeleted, ...query } = {}, signal) =>
      data(client.GET("/api/pages", { params: { query: { ...query, with_deleted: withDeleted } }, signal })),
    search: (q, limit, signal) => data(client.GET("/api/pages/search", { params: { query: { q, limit } }, signal })),
    resolve: (path, signal) => data(client.GET("/api/pages/resolve", { params: { query: { path } }, signal })),
    async create(path) {
      const answer = client.POST("/api/pages", { params: { query: { path } } });
      const { id } = await data(answer);
      return { id, lock: pageLockOf((await answer).response) };
    },
    async source(id, revision, signal) {
      const params = { path: { page_id: id }, query: { rev: revision ?? undefined } };
      const answer = client.GET("/api/pages/{page_id}/source", { params, parseAs: "text", signal });
      const { headers } = (await answer).response;
      return {
        text: await text(answer),
        revision: Number(headers.get("X-Page-Revision")),
        etag: headers.get("ETag") ?? "",
        deleted: headers.has("X-Page-Deleted"),
      };
    },
    async save(id, source, { token, etag, tab, amend, keepLock, read, signal }) {
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
    meta: (id, revision, signal) => {
      const params = { path: { page_id: id }, query: { rev: revision ?? undefined } };
      return data(client.GET("/api/pages/{page_id}/meta", { params, signal }));
    },
    path: async (id, signal) => (await data(client.GET("/api/pages/{page_id}/path", { params: { path: { page_id: id } }, signal }))).path,
    links: (id, signal) => data(client.GET("/api/pages/{page_id}/links", { params: { path: { page_id: id } }, signal })),
    backlinks: (id, query, signal) =>
      data(client.GET("/api/pages/{page_id}/backlinks", { params: { path: { page_id: id }, query }, signal })),
  };
}

function searchApi(client: ApiClient): SearchApi {
  return {
    // An answer has items of the requested kind only.
    find: <K extends SearchKind>(kind: K, q: string, { anchor, ...options }: Parameters<SearchApi["find"]>[2] = {}, signal?: AbortSignal) => {
      const query = { q, kind, ...options, anchor: anchor ?? undefined };
      return data(client.GET("/api/search", { params: { query }, signal })) as Promise<SearchAnswer<K>>;
    },
    folders: (q, signal) => data(client.GET("/api/search/folders", { params: { query: { q } }, signal })),
    tags: (signal) => data(client.GET("/api/tags", { signal })),
    wanted: (signal) => data(client.GET("/api/pages/wanted", { signal })),
    orphans: (signal) => data(client.GET("/api/pages/orphans", { signal })),
    mentions: (id, signal) =>
      data(client.GET("/api/pages/{page_id}/mentions", { params: { path: { page_id: id } }, signal })) as Promise<SearchAnswer<"page">>,
  };
}

function locksApi(client: ApiClient): LocksApi {
  return {
    async acquire(id, takeOver) {
      const params = { path: { page_id: id }, query: { take_over: takeOver } };
      return pageLockOf((await client.POST("/api/pages/{page_id}/lock", { params })).response);
    },
    async renew(id, token) {
      const params = { path: { page_id: id }, header: lockProof(token) };
      return pageLockOf((await client.PUT("/api/pages/{page_id}/lock", { params })).response);
    },
    status: (id, signal) => data(client.GET("/api/pages/{page_id}/lock", { params: { path: { page_id: id } }, signal })),
    async release(id, token) {
      await client.DELETE("/api/pages/{page_id}/lock", { params: { path: { page_id: id }, header: lockProof(token) } });
    },
    // A closing page can only send a beacon. It has no headers, so its body carries the token.
    releaseOnClose: (id, token) => navigator.sendBeacon(`/api/pages/${encodeURIComponent(id)}/lock/release`, token),
  };
}

function revisionsApi(client: ApiClient): RevisionsApi {
  return {
    list: (id, query = {}, signal) => data(client.GET("/api/pages/{page_id}/revisions", { params: { path: { page_id: id }, query }, signal })),
    diff: (id, from, to, signal) =>
      data(client.GET("/api/pages/{page_id}/diff", { params: { path: { page_id: id }, query: { from, to } }, signal })),
    rollback: (id, to, token) => {
      const params = { path: { page_id: id }, query: { rollback_to: to }, header: proofOf(token) };
      // Only the removal of revisions has an answer without a body.
      return data(client.POST("/api/pages/{page_id}/revision", { params })) as Promise<RolledBackPage>;
    },
    async compact(id, keepFrom, token) {
      const params = { path: { page_id: id }, query: { keep_from: keepFrom }, header: proofOf(token) };
      await client.POST("/api/pages/{page_id}/revision", { params });
    },
    markdown: (id, query = {}, signal) =>
      text(client.GET("/api/pages/{page_id}/history", { params: { path: { page_id: id }, query }, parseAs: "text", signal })),
  };
}

/** The header that proves a lock, if there is one. */
function proofOf(token: string | undefined) {
  return token === undefined ? {} : lockProof(token);
}

function assetsApi(client: ApiClient): AssetsApi {
  return {
    list: (id, withDeleted, signal) =>
      data(client.GET("/api/pages/{page_id}/assets", { params: { path: { page_id: id }, query: { with_deleted: withDeleted } }, signal })),
    async upload(id, fileName, contents, signal) {
      const answer = client.POST("/api/pages/{page_id}/assets/{file_name}", {
        params: { path: { page_id: id, file_name: fileName }, query: { free_name: true } },
        body: contents,
        headers: { "Content-Type": "application/octet-stream" },
        signal,
      });
      // The answer has the name whenever a free one was asked for.
      return (await data(answer)).file_name as string;
    },
    addFromFiles: (id, items) => {
      const body = { items: items.map(placeFields), free_names: true };
      // The document makes nullable fields optional; the server omits none.
      return data(client.POST("/api/pages/{page_id}/assets", { params: { path: { page_id: id } }, body })) as Promise<AddedFile[]>;
    },
    addFiles: (id, grants, freeNames) => {
      const body = { grants: [...grants], free_names: freeNames };
      return data(client.POST("/api/pages/{page_id}/assets", { params: { path: { page_id: id } }, body })) as Promise<AddedFile[]>;
    },
    rename: (id, fileName) => data(client.PATCH("/api/assets/{asset_id}", { params: { path: { asset_id: id } }, body: { file_name: fileName } })),
    async remove(id, hard) {
      await client.DELETE("/api/assets/{asset_id}", { params: { path: { asset_id: id }, query: { hard } } });
    },
    async restore(id) {
      await client.POST("/api/assets/{asset_id}/restore", { params: { path: { asset_id: id } } });
    },
    orphans: (part, signal) => data(client.GET("/api/assets/zombies", { params: { query: part }, signal })),
    contentsUrl: (id) => address("/api/asset", { id }),
    thumbUrl: (id, size) => address("/api/asset", { id, size: `${size}x${size}`, mode: "crop", format: "jpg" }),
    async setOwner(id, pageId) {
      await client.POST("/api/assets/{asset_id}/owner", { params: { path: { asset_id: id }, query: { page_id: pageId } } });
    },
  };
}

function autosaveApi(client: ApiClient): AutosaveApi {
  return {
    async put(pageId, tab, body) {
      // The last write before a tab closes must still arrive. Browsers accept at most 64 KiB of such bodies at a time;
      // a character is at most six bytes of JSON and UTF-8.
      const keepalive = body.source.length * 6 < 60_000;
      await client.PUT("/api/journal/{page_id}", { params: { path: { page_id: pageId }, query: { tab } }, body, keepalive });
    },
    list: (path, signal) => data(client.GET("/api/journals", { params: { query: { path: path ?? undefined } }, signal })),
    read: (id, signal) => data(client.GET("/api/journals/{journal_id}", { params: { path: { journal_id: id } }, signal })),
    async remove(id, seq) {
      await client.DELETE("/api/journals/{journal_id}", { params: { path: { journal_id: id }, query: { seq } } });
    },
  };
}

function jobsApi(client: ApiClient): JobsApi {
  return {
    list: (signal) => data(client.GET("/api/jobs", { signal })),
    get: (id, signal) => data(client.GET("/api/jobs/{id}", { params: { path: { id } }, signal })),
    pause: (id, paused) => data(client.PATCH("/api/jobs/{id}", { params: { path: { id } }, body: { paused } })),
    async cancel(id) {
      await client.DELETE("/api/jobs/{id}", { params: { path: { id } } });
    },
  };
}

function archiveApi(client: ApiClient): ArchiveApi {
  return {
    exportUrl: "/api/export",
    async import(archive, onConflict) {
      const params = { query: { on_conflict: onConflict } };
      // A browser may report another type of the file than the server accepts, or none.
      const options = "grant" in archive ? { body: archive } : { body: archive.file, headers: { "Content-Type": "application/zip" } };
      return (await data(client.POST("/api/import", { params, ...options }))).id;
    },
    backup: async (grant) => (await data(client.POST("/api/backup", grant === null ? {} : { body: { grant } }))).id,
  };
}

function cacheApi(client: ApiClient): CacheApi {
  return {
    stats: (signal) => data(client.GET("/api/cache", { signal })),
    gc: async () => (await data(client.POST("/api/cache/gc"))).id,
    setLimit: (limit_bytes) => data(client.PUT("/api/cache/limit", { body: { limit_bytes } })),
    setFolder: (grant) => data(client.PUT("/api/cache/folder", { body: { grant } })),
    clear: async (group) => (await data(client.POST("/api/cache/clear", { body: group === null ? {} : { group } }))).id,
  };
}

function rootsApi(client: ApiClient): RootsApi {
  return {
    list: (signal) => data(client.GET("/api/roots", { signal })),
    add: (source) => data(client.POST("/api/roots", { body: source })),
    async remove(id) {
      await client.DELETE("/api/roots/{root}", { params: { path: { root: id } } });
    },
  };
}

function foldersApi(client: ApiClient, fetcher: ApiFetch): FoldersApi {
  return {
    async list({ root, path, around, has_caption, listing: of, ...plain }, signal) {
      const query = {
        ...plain,
        ...placeQuery({ root, path }),
        around: around ? rawPath(around) : undefined,
        has_caption: has_caption && has_caption === "true",
        listing: of ?? undefined,
      };
      const listing = await data(client.GET("/api/folders", { params: { query }, signal }));
      // The page distinguishes states of a picture by its id. The version also changes if another file has taken the
      // picture's name, size and time.
      for (const entry of listing.entries) if (entry.version) entry.id = entry.version;
      return listing;
    },
    watch: (root, path, { beneath, signal } = {}) => {
      const query = { ...placeQuery({ root, path }), beneath: beneath || undefined };
      return data(client.PUT("/api/folders/watch", { params: { query }, signal }));
    },
    info: (root, path, signal) => data(client.GET("/api/image/info", { params: { query: placeQuery({ root, path }) }, signal })),
    thumbUrl: ({ root, path, id, size, ahead = false }) => {
      const priority = ahead ? "next" : undefined;
      return address("/thumb", { root, path: { raw: path }, size: `${size}x${size}`, mode: "shrink", format: "jpg", v: id, priority });
    },
    imageUrl: (root, path, id) => address("/api/image", { root, path: { raw: path }, v: id }),
    embeddedUrl: (root, path, id) => address("/api/image/embedded", { root, path: { raw: path }, v: id }),
    // Not by the client: the address is complete, and the document has no path for it.
    async probe(url, signal) {
      await fetcher(url, { method: "GET", signal: signal ?? null });
    },
  };
}

function filesApi(client: ApiClient): FilesApi {
  const transfer = (kind: "move" | "copy") => (items: readonly FilePlace[], to: FilePlace, existing: ExistingFile) =>
    data(client.POST(`/api/files/${kind}`, { body: { items: items.map(placeFields), to: placeFields(to), existing } }));
  return {
    rename: (folder, names) => {
      const named = names.map(({ from, to }) => ({ from: from.name, from_bytes: from.name_bytes ?? undefined, to }));
      return data(client.POST("/api/files/rename", { body: { ...placeFields(folder), names: named } }));
    },
    move: transfer("move"),
    copy: transfer("copy"),
    bin: (items) => data(client.POST("/api/files/bin", { body: { items: items.map(placeFields) } })),
    mark: (items, { rating, add, remove, caption, discardEmpty }) => {
      const body = {
        items: items.map(placeFields),
        rating,
        add_tags: add && [...add],
        remove_tags: remove && [...remove],
        caption,
        caption_if_absent: caption ? true : undefined,
        discard_empty: discardEmpty,
      };
      return data(client.POST("/api/files/marks", { body }));
    },
    marks: (place, signal) => data(client.GET("/api/files/marks", { params: { query: placeQuery(place) }, signal })),
    async tags(folder, { beneath, signal } = {}) {
      const query = { ...placeQuery(folder), beneath: beneath || undefined };
      return (await data(client.GET("/api/files/tags", { params: { query }, signal }))).tags;
    },
    operations: (signal) => data(client.GET("/api/files/operations", { signal })),
    undo: (id, partly = false) =>
      data(client.POST("/api/files/operations/{id}/undo", { params: { path: { id }, query: { partly: partly || undefined } } })),
    pagesWith: (picture, signal) => data(client.GET("/api/files/pages", { params: { query: placeQuery(picture) }, signal })),
  };
}

/** A place in the form of request bodies. */
function placeFields({ root, path }: FilePlace) {
  return { root, ...pathFields(path) };
}
