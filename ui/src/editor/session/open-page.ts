// The opening of an editor (docs/spec/wiki.md, Editing): with the lock that the reading view has taken, or with a new
// draft. Every expected outcome is a value; only unexpected errors are thrown.
import type { Backend, PageLock } from "../../api/backend";
import { type ApiError, hasCode } from "../../api/errors";
import type { DeletedPage } from "../../api/moves";
import type { LockTokens } from "../../editing/locks/lock-tokens";
import { digestOf } from "../../editing/text-digest";
import { isRefusal } from "./lock-session";

/** The revision that the editing is based on. */
export interface Base {
  text: string;
  revision: number;
  /** The revision and its number of amendments. */
  version: string;
  /** The digest of the text as it was served. */
  digest: string;
  /** The author of the revision. */
  author: string;
}

export type Opening =
  /** The page is locked for writing; `base` is null for a page that does not exist yet. */
  | { kind: "ready"; pageId: string; lock: PageLock; base: Base | null }
  /** This tab has no lock on the page, for example because it was opened by a copied address. */
  | { kind: "no-lock"; pageId: string }
  /**
   * Another session holds the page's lock, or writes a draft there. If it is the user's own, `own` can be taken over.
   */
  | { kind: "taken"; error: ApiError; own: OwnLock | null }
  /** The page that was here has moved to another path. */
  | { kind: "moved"; to: string }
  /** Pages were deleted at the path, and can be restored. */
  | { kind: "deleted"; pages: DeletedPage[] }
  /** There is no page at a typed address. */
  | { kind: "unwritten" };

/** The progress of the opening. */
export type Phase =
  | { kind: "opening" }
  | { kind: "editing" }
  | Exclude<Opening, { kind: "ready" }>
  | { kind: "failed"; error: unknown };

/** The notices of former pages that the user has passed to write a new page: of a move, and then of deleted pages. */
export type FormerPage = "nothing" | "moved" | "deleted";

/** A page, or a draft that was never saved, with the user's own lock, held by another tab or by one that is gone. */
export interface OwnLock {
  pageId: string;
  isDraft: boolean;
}

type Parts = Pick<Backend, "pages" | "locks" | "users" | "moves">;

/**
 * Opens the page at `path` for writing, with the tokens of this tab. `former` states which notices are not repeated. At
 * an address that `isTyped`, no page is begun: it may be a mistake.
 */
export async function openPage(
  backend: Parts,
  tokens: LockTokens,
  path: string,
  { former = "nothing", isTyped = false }: { former?: FormerPage; isTyped?: boolean } = {},
): Promise<Opening> {
  try {
    const { id } = await backend.pages.resolve(path);
    const stored = tokens.read(id);
    return stored === null ? { kind: "no-lock", pageId: id } : await resume(backend, tokens, id, stored);
  } catch (error) {
    if (hasCode(error, "draft")) return await resumeDraft(backend, tokens, path, error);
    if (!hasCode(error, "page_not_found")) throw error;
    if (error.details.movedTo !== undefined && former === "nothing") return { kind: "moved", to: error.details.movedTo };
    const pages = former === "deleted" ? [] : await backend.moves.deletedAt(path);
    if (pages.length > 0) return { kind: "deleted", pages };
    // A reloaded editor goes on.
    const isMistake = isTyped && tokens.readDraft(path) === null;
    return isMistake ? { kind: "unwritten" } : await beginDraft(backend, tokens, path);
  }
}

/** Takes over the user's own lock: its former holder's token becomes invalid. */
export async function takeOver(backend: Parts, tokens: LockTokens, path: string, own: OwnLock): Promise<Opening> {
  const lock = await backend.locks.acquire(own.pageId, true);
  if (!own.isDraft) return await ready(backend, tokens, own.pageId, lock);
  tokens.write(own.pageId, lock);
  tokens.writeDraft(path, own.pageId);
  return { kind: "ready", pageId: own.pageId, lock, base: null };
}

/** Takes the lock of an existing page and reads it. */
export async function takeLock(backend: Parts, tokens: LockTokens, pageId: string): Promise<Opening> {
  try {
    return await ready(backend, tokens, pageId, await backend.locks.acquire(pageId));
  } catch (error) {
    if (hasCode(error, "locked")) return { kind: "taken", error, own: await ownLock(backend, pageId, error) };
    throw error;
  }
}

/** Creates a draft, with its lock, at a path without a page. */
export async function beginDraft(backend: Parts, tokens: LockTokens, path: string): Promise<Opening> {
  try {
    const { id, lock } = await backend.pages.create(path);
    tokens.write(id, lock);
    tokens.writeDraft(path, id);
    return { kind: "ready", pageId: id, lock, base: null };
  } catch (error) {
    // Another session was quicker by a moment.
    if (hasCode(error, "path_taken", "draft")) return { kind: "taken", error, own: ownDraft(error) };
    throw error;
  }
}

/** Resumes with a token: the tab was editing this page. The lock may have been released when the page was reloaded. */
async function resume(backend: Parts, tokens: LockTokens, pageId: string, stored: PageLock): Promise<Opening> {
  // A lock that can be renewed has been held all the time, so that no write can come between.
  const base = readBase(backend, pageId);
  base.catch(() => {}); // Reported below, unless the lock is gone.
  try {
    const lock = await backend.locks.renew(pageId, stored.token);
    tokens.write(pageId, lock);
    return { kind: "ready", pageId, lock, base: await base };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    tokens.remove(pageId);
    return await takeLock(backend, tokens, pageId);
  }
}

async function resumeDraft(backend: Parts, tokens: LockTokens, path: string, error: ApiError): Promise<Opening> {
  const pageId = tokens.readDraft(path);
  const stored = pageId === null ? null : tokens.read(pageId);
  if (pageId === null || stored === null) return { kind: "taken", error, own: ownDraft(error) };
  try {
    const lock = await backend.locks.renew(pageId, stored.token);
    tokens.write(pageId, lock);
    return { kind: "ready", pageId, lock, base: null };
  } catch (refused) {
    if (!isRefusal(refused)) throw refused;
    tokens.remove(pageId);
    tokens.removeDraft(path);
    return { kind: "taken", error, own: ownDraft(error) };
  }
}

/** The user's own draft that the server names in the error. */
function ownDraft({ details }: ApiError): OwnLock | null {
  return details.pageId === undefined ? null : { pageId: details.pageId, isDraft: true };
}

/** The user's own lock: a name belongs to one user. */
async function ownLock({ users }: Pick<Backend, "users">, pageId: string, { details }: ApiError): Promise<OwnLock | null> {
  return details.userName === (await users.me()).name ? { pageId, isDraft: false } : null;
}

/** The user's own lock, if the error is about one that can be taken over. */
export async function ownLockBehind(backend: Pick<Backend, "users">, pageId: string, error: unknown): Promise<OwnLock | null> {
  if (hasCode(error, "path_taken", "draft")) return ownDraft(error);
  if (!hasCode(error, "locked")) return null;
  try {
    return await ownLock(backend, pageId, error);
  } catch {
    // The offer is optional; the obstacle is reported regardless.
    return null;
  }
}

/** Reads the newest source after the lock is held: no write can come between the two. */
async function ready(backend: Parts, tokens: LockTokens, pageId: string, lock: PageLock): Promise<Opening> {
  tokens.write(pageId, lock);
  return { kind: "ready", pageId, lock, base: await readBase(backend, pageId) };
}

/** A revision of a page, or the newest one. */
export async function readBase({ pages }: Pick<Backend, "pages">, pageId: string, revision?: number): Promise<Base> {
  const [source, meta] = await Promise.all([pages.source(pageId, revision), pages.meta(pageId, revision)]);
  const author = meta.revision_info?.user_name ?? "";
  return { text: source.text, revision: source.revision, version: versionOf(source.etag), digest: digestOf(source.etag), author };
}

/** The part of an ETag that depends on the saved text; the rest also changes if linked pages move. */
export function versionOf(etag: string): string {
  return /^"([^-"]*)/.exec(etag)?.[1] ?? etag;
}
