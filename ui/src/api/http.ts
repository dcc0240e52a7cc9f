// The backend over HTTP, shared by a browser and the window.
import type {
  AssetsApi,
  Backend,
  CacheApi,
  ArchiveApi,
  ExistingFile,
  FilePlace,
  FilesApi,
  FilesDone,
  FolderListing,
  FoldersApi,
  FolderWatch,
  JobsApi,
  AutosaveApi,
  LocksApi,
  PagesApi,
  RevisionsApi,
  RootsApi,
  SettingsApi,
  UsersApi,
} from "./backend";
import { createClient } from "./client";
import type { ApiEvents } from "./events";
import { hashesApi } from "./hashes";
import { lockProof, pageLockOf } from "./headers";
import { movesApi } from "./moves";
import { pathFields } from "./names";
import { type ApiFetch, address, createSend, type RequestOptions, type Send } from "./request";
import type { components } from "./schema";
import { ttlApi } from "./ttl";
import type { SearchApi } from "./search";
import { sessionsApi } from "./sessions";
import { visionApi } from "./vision";

type KnownTags = components["schemas"]["KnownTags"];

const MARKDOWN = "text/markdown; charset=utf-8";

export function createHttpBackend(fetcher: ApiFetch, events: ApiEvents): Backend {
  const send = createSend(fetcher);
  const client = createClient(fetcher);
  const get = json(send, "GET");
  return {
    users: usersApi(send, get),
    settings: settingsApi(send, get),
    sessions: sessionsApi(client),
    pages: pagesApi(send, get),
    locks: locksApi(send, get),
    revisions: revisionsApi(send, get),
    moves: movesApi(client),
    assets: assetsApi(send, get),
    autosave: autosaveApi(send, get),
    jobs: jobsApi(send, get),
    archive: archiveApi(send),
    cache: cacheApi(send, get),
    ttl: ttlApi(client),
    roots: rootsApi(send, get),
    folders: foldersApi(send, get),
    files: filesApi(send, get),
    hashes: hashesApi(client),
    search: searchApi(get),
    vision: visionApi(client),
    events,
    desktop: null,
  };
}

type Get = <T>(path: string, options?: RequestOptions) => Promise<T>;

function json(send: Send, method: "GET" | "POST" | "PUT" | "PATCH"): Get {
  // The schema is the server's promise; CI compares the generated types with it.
  return async <T>(path: string, options?: RequestOptions) => (await send(method, path, options)).json() as Promise<T>;
}

function usersApi(send: Send, get: Get): UsersApi {
  return {
    list: (signal) => get("/api/users", { signal }),
    create: (name) => json(send, "POST")("/api/users", { json: { name } }),
    me: (signal) => get("/api/users/me", { signal }),
    rename: (name) => json(send, "PATCH")("/api/users/me", { json: { name } }),
    visits: (signal) => get("/api/users/me/visits", { signal }),
    visit: async (id) => void (await send("POST", "/api/users/me/visits", { query: { page_id: id } })),
    folders: (signal) => get("/api/users/me/folders", { signal }),
    visitFolder: async ({ root, path }) => void (await send("POST", "/api/users/me/folders", { query: { root, path: { raw: path } } })),
    forgetFolder: async ({ root, path }) => void (await send("DELETE", "/api/users/me/folders", { query: { root, path: { raw: path } } })),
  };
}

function settingsApi(send: Send, get: Get): SettingsApi {
  return {
    get: (signal) => get("/api/settings", { signal }),
    patch: (changes) => json(send, "PATCH")("/api/settings", { json: changes }),
  };
}

function pagesApi(send: Send, get: Get): PagesApi {
  return {
    list: ({ prefix, forward, rewind, limit, withDeleted } = {}, signal) =>
      get("/api/pages", { query: { prefix, forward, rewind, limit, with_deleted: withDeleted }, signal }),
    search: (q, limit, signal) => get("/api/pages/search", { query: { q, limit }, signal }),
    resolve: (path, signal) => get("/api/pages/resolve", { query: { path }, signal }),
    async create(path) {
      const response = await send("POST", "/api/pages", { query: { path } });
      const { id } = (await response.json()) as { id: string };
      return { id, lock: pageLockOf(response) };
    },
    async source(id, revision, signal) {
      const response = await send("GET", `${page(id)}/source`, { query: { rev: revision }, signal });
      return {
        text: await response.text(),
        revision: Number(response.headers.get("X-Page-Revision")),
        etag: response.headers.get("ETag") ?? "",
        deleted: response.headers.has("X-Page-Deleted"),
      };
    },
    async save(id, text, { token, etag, tab, amend, keepLock, signal }) {
      const headers: Record<string, string> = {};
      if (token !== undefined) Object.assign(headers, lockProof(token));
      if (etag !== undefined) headers["If-Match"] = etag;
      const query = { amend, tab, keep_lock: keepLock };
      const response = await send("PUT", `${page(id)}/source`, {
        query,
        headers,
        text: { body: text, type: MARKDOWN },
        signal,
      });
      const saved = (await response.json()) as Awaited<ReturnType<PagesApi["save"]>>;
      return { ...saved, etag: response.headers.get("ETag") ?? "" };
    },
    meta: (id, revision, signal) => get(`${page(id)}/meta`, { query: { rev: revision }, signal }),
    path: async (id, signal) => (await get<{ path: string }>(`${page(id)}/path`, { signal })).path,
    links: (id, signal) => get(`${page(id)}/links`, { signal }),
    backlinks: (id, query, signal) => get(`${page(id)}/backlinks`, { query, signal }),
  };
}

function searchApi(get: Get): SearchApi {
  return {
    find: (kind, q, options = {}, signal) => get("/api/search", { query: { q, kind, ...options }, signal }),
    tags: (signal) => get("/api/tags", { signal }),
    wanted: (signal) => get("/api/pages/wanted", { signal }),
    orphans: (signal) => get("/api/pages/orphans", { signal }),
    mentions: (id, signal) => get(`${page(id)}/mentions`, { signal }),
  };
}

function locksApi(send: Send, get: Get): LocksApi {
  return {
    acquire: async (id, takeOver) => pageLockOf(await send("POST", `${page(id)}/lock`, { query: { take_over: takeOver } })),
    renew: async (id, token) => pageLockOf(await send("PUT", `${page(id)}/lock`, { headers: lockProof(token) })),
    status: (id, signal) => get(`${page(id)}/lock`, { signal }),
    async release(id, token) {
      await send("DELETE", `${page(id)}/lock`, { headers: lockProof(token) });
    },
    releaseOnClose: (id, token) => navigator.sendBeacon(`${page(id)}/lock/release`, token),
  };
}

function revisionsApi(send: Send, get: Get): RevisionsApi {
  const proof = (token?: string) => (token === undefined ? {} : lockProof(token));
  return {
    list: (id, { before, limit } = {}, signal) => get(`${page(id)}/revisions`, { query: { before, limit }, signal }),
    diff: (id, from, to, signal) => get(`${page(id)}/diff`, { query: { from, to }, signal }),
    rollback: (id, to, token) =>
      json(send, "POST")(`${page(id)}/revision`, { query: { rollback_to: to }, headers: proof(token) }),
    async compact(id, keepFrom, token) {
      await send("POST", `${page(id)}/revision`, { query: { keep_from: keepFrom }, headers: proof(token) });
    },
    markdown: async (id, { before } = {}, signal) =>
      (await send("GET", `${page(id)}/history`, { query: { before }, signal })).text(),
  };
}

function assetsApi(send: Send, get: Get): AssetsApi {
  return {
    list: (id, withDeleted, signal) => get(`${page(id)}/assets`, { query: { with_deleted: withDeleted }, signal }),
    async upload(id, fileName, contents, signal) {
      const path = `${page(id)}/assets/${encodeURIComponent(fileName)}`;
      const response = await send("POST", path, { query: { free_name: true }, bytes: contents, signal });
      return ((await response.json()) as { file_name: string }).file_name;
    },
    addFromFiles: (id, items) => json(send, "POST")(`${page(id)}/assets`, { json: { items: items.map(placeFields), free_names: true } }),
    rename: (id, fileName) => json(send, "PATCH")(asset(id), { json: { file_name: fileName } }),
    async remove(id, hard) {
      await send("DELETE", asset(id), { query: { hard } });
    },
    async restore(id) {
      await send("POST", `${asset(id)}/restore`);
    },
    orphans: (part, signal) => get("/api/assets/zombies", { query: { ...part }, signal }),
    contentsUrl: (id) => address("/api/asset", { id }),
    thumbUrl: (id, size) => address("/api/asset", { id, size: `${size}x${size}`, mode: "crop", format: "jpg" }),
    async setOwner(id, pageId) {
      await send("POST", `${asset(id)}/owner`, { query: { page_id: pageId } });
    },
  };
}

function autosaveApi(send: Send, get: Get): AutosaveApi {
  return {
    async put(pageId, tab, body) {
      // The last write before a tab closes must still arrive. A character is at most six bytes of JSON and UTF-8.
      const keepalive = body.source.length * 6 < 60_000;
      await send("PUT", `/api/journal/${encodeURIComponent(pageId)}`, { query: { tab }, json: body, keepalive });
    },
    list: (path, signal) => get("/api/journals", { query: { path }, signal }),
    read: (id, signal) => get(`/api/journals/${encodeURIComponent(id)}`, { signal }),
    async remove(id, seq) {
      await send("DELETE", `/api/journals/${encodeURIComponent(id)}`, { query: { seq } });
    },
  };
}

function jobsApi(send: Send, get: Get): JobsApi {
  const job = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;
  return {
    list: (signal) => get("/api/jobs", { signal }),
    get: (id, signal) => get(job(id), { signal }),
    pause: (id, paused) => json(send, "PATCH")(job(id), { json: { paused } }),
    async cancel(id) {
      await send("DELETE", job(id));
    },
  };
}

function archiveApi(send: Send): ArchiveApi {
  const begun = async (answer: Promise<Response>) => ((await (await answer).json()) as { id: string }).id;
  return {
    exportUrl: "/api/export",
    import: (archive, onConflict) => {
      const query = { on_conflict: onConflict };
      if ("grant" in archive) return begun(send("POST", "/api/import", { query, json: archive }));
      // The type that the server accepts; a browser may report another one, or none.
      return begun(send("POST", "/api/import", { query, bytes: archive.file, headers: { "Content-Type": "application/zip" } }));
    },
    backup: (grant) => begun(send("POST", "/api/backup", grant === null ? {} : { json: { grant } })),
  };
}

function cacheApi(send: Send, get: Get): CacheApi {
  return {
    stats: (signal) => get("/api/cache", { signal }),
    gc: async () => (await json(send, "POST")<{ id: string }>("/api/cache/gc")).id,
    setLimit: (limit_bytes) => json(send, "PUT")("/api/cache/limit", { json: { limit_bytes } }),
    setFolder: (grant) => json(send, "PUT")("/api/cache/folder", { json: { grant } }),
    clear: async (group) => (await json(send, "POST")<{ id: string }>("/api/cache/clear", { json: group === null ? {} : { group } })).id,
  };
}

function rootsApi(send: Send, get: Get): RootsApi {
  return {
    list: (signal) => get("/api/roots", { signal }),
    add: (source) => json(send, "POST")("/api/roots", { json: source }),
    async remove(id) {
      await send("DELETE", `/api/roots/${encodeURIComponent(id)}`);
    },
  };
}

function foldersApi(send: Send, get: Get): FoldersApi {
  return {
    async list({ path, around, ...plain }, signal) {
      const query = { ...plain, path: { raw: path }, around: around ? { raw: around } : null };
      const listing = await get<FolderListing>("/api/folders", { query, signal });
      // The page distinguishes states of a picture by its id. The version also changes if another file has taken the
      // picture's name, size and time.
      for (const entry of listing.entries) if (entry.version) entry.id = entry.version;
      return listing;
    },
    async watch(root, path, { beneath, signal } = {}) {
      const query = { root, path: { raw: path }, beneath: beneath || null };
      const answer = await send("PUT", address("/api/folders/watch", query), { signal });
      return (await answer.json()) as FolderWatch;
    },
    info: (root, path, signal) => get("/api/image/info", { query: { root, path: { raw: path } }, signal }),
    thumbUrl: ({ root, path, id, size, ahead = false }) => {
      const priority = ahead ? "next" : undefined;
      return address("/thumb", { root, path: { raw: path }, size: `${size}x${size}`, mode: "shrink", format: "jpg", v: id, priority });
    },
    imageUrl: (root, path, id) => address("/api/image", { root, path: { raw: path }, v: id }),
    embeddedUrl: (root, path, id) => address("/api/image/embedded", { root, path: { raw: path }, v: id }),
    async probe(url, signal) {
      await send("GET", url, { signal });
    },
  };
}

function filesApi(send: Send, get: Get): FilesApi {
  const post = json(send, "POST");
  const transfer = (how: "move" | "copy") => (items: readonly FilePlace[], to: FilePlace, existing: ExistingFile) =>
    post<FilesDone>(`/api/files/${how}`, { json: { items: items.map(placeFields), to: placeFields(to), existing } });
  return {
    rename: (folder, names) => {
      const named = names.map(({ from, to }) => ({ from: from.name, from_bytes: from.name_bytes ?? undefined, to }));
      return post("/api/files/rename", { json: { ...placeFields(folder), names: named } });
    },
    move: transfer("move"),
    copy: transfer("copy"),
    bin: (items) => post("/api/files/bin", { json: { items: items.map(placeFields) } }),
    mark: (items, { rating, add: add_tags, remove: remove_tags, caption }) =>
      post("/api/files/marks", { json: { items: items.map(placeFields), rating, add_tags, remove_tags, caption, caption_if_absent: caption ? true : undefined } }),
    marks: ({ root, path }, signal) => get("/api/files/marks", { query: { root, path: { raw: path } }, signal }),
    tags: async ({ root, path }, { beneath, signal } = {}) =>
      (await get<KnownTags>("/api/files/tags", { query: { root, path: { raw: path }, beneath: beneath || null }, signal })).tags,
    operations: (signal) => get("/api/files/operations", { signal }),
    undo: (id, partly = false) =>
      post(`/api/files/operations/${encodeURIComponent(id)}/undo`, { query: { partly: partly ? "true" : null } }),
    pagesWith: ({ root, path }, signal) => get("/api/files/pages", { query: { root, path: { raw: path } }, signal }),
  };
}

/** A place in the form of request bodies. */
function placeFields({ root, path }: FilePlace) {
  return { root, ...pathFields(path) };
}

function asset(id: string): string {
  return `/api/assets/${encodeURIComponent(id)}`;
}

function page(id: string): string {
  return `/api/pages/${encodeURIComponent(id)}`;
}
