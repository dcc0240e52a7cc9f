// From reading to writing (wiki.md §17.2, the first half): the lock first, and only with it the way to the editor.
import type { Backend } from "../api/backend";
import { LockTokens } from "../editing/lock-tokens";

/** Locks the page for this tab and keeps the token where the editor will look for it. Throws what the server says. `takeOver` also takes it from oneself. */
export async function startEdit(
  { locks }: Pick<Backend, "locks">,
  pageId: string,
  tabId: Promise<string>,
  takeOver = false,
): Promise<void> {
  const tokens = new LockTokens(await tabId);
  tokens.write(pageId, await locks.acquire(pageId, takeOver));
}
