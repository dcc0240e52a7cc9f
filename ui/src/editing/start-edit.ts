// From reading to writing (docs/spec/wiki.md, Editing, the first half): the lock first, and only with it the way to the editor.
import type { Backend } from "../api/backend";
import { LockTokens } from "./lock-tokens";

interface Start {
  pageId: string;
  tabId: Promise<string>;
  /** Takes it from oneself, too. */
  takeOver: boolean;
  /** Whether the person has gone elsewhere. */
  isLeft: () => boolean;
}

/**
 * Locks the page for this tab and keeps the token where the editor will look for it. Throws what the server says. False
 * when the person was gone before the lock came: it has been given back.
 */
export async function startEdit({ locks }: Pick<Backend, "locks">, { pageId, tabId, takeOver, isLeft }: Start): Promise<boolean> {
  const tokens = new LockTokens(await tabId);
  const lock = await locks.acquire(pageId, takeOver);
  if (isLeft()) {
    await locks.release(pageId, lock.token);
    return false;
  }
  tokens.write(pageId, lock);
  return true;
}
