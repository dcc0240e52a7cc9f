// The step from the reading view to the editor (docs/spec/wiki.md, Editing, the first half): the lock is taken first,
// and the editor opens only with it.
import type { Backend } from "../../api/backend";
import { LockTokens } from "./lock-tokens";

interface Start {
  pageId: string;
  tabId: Promise<string>;
  /** True to take over the user's own lock. */
  takeOver: boolean;
  /** True if the user has left. */
  isLeft: () => boolean;
}

/**
 * Locks the page for this tab and stores the token for the editor. Throws the server's error. False if the user left
 * before the lock arrived: it has been released.
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
