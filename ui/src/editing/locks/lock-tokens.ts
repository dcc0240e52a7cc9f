// A tab's storage for the tokens of the locks that it holds (docs/spec/wiki.md, Editing): the session storage, under
// the page's id and the tab's. The reading view stores a token there, and the editor reads it; a copied address finds
// none.
import type { PageLock } from "../../api/backend";

export class LockTokens {
  /** The last write through this object that was not removed since. */
  #newest: { pageId: string; lock: PageLock } | null = null;

  constructor(
    readonly tab: string,
    private readonly storage: Storage = sessionStorage,
  ) {}

  /** The lock that was stored last through this object. */
  get newest(): { pageId: string; lock: PageLock } | null {
    return this.#newest;
  }

  read(pageId: string): PageLock | null {
    const text = this.storage.getItem(this.#lockKey(pageId));
    return text === null ? null : parseLock(text);
  }

  write(pageId: string, lock: PageLock): void {
    this.#newest = { pageId, lock };
    this.storage.setItem(this.#lockKey(pageId), JSON.stringify({ token: lock.token, expire: lock.expire }));
  }

  remove(pageId: string): void {
    if (this.#newest?.pageId === pageId) this.#newest = null;
    this.storage.removeItem(this.#lockKey(pageId));
  }

  /** The draft that this tab has created at a path: a draft's id is in no address. */
  readDraft(path: string): string | null {
    return this.storage.getItem(this.#draftKey(path));
  }

  writeDraft(path: string, pageId: string): void {
    this.storage.setItem(this.#draftKey(path), pageId);
  }

  removeDraft(path: string): void {
    this.storage.removeItem(this.#draftKey(path));
  }

  #lockKey(pageId: string): string {
    return `fumikura.lock.${pageId}.${this.tab}`;
  }

  #draftKey(path: string): string {
    return `fumikura.draft.${this.tab}.${path}`;
  }
}

/** Returns null for a value that is no token. */
function parseLock(text: string): PageLock | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { token, expire } = value as Partial<Record<keyof PageLock, unknown>>;
    return typeof token === "string" && typeof expire === "string" ? { token, expire } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
