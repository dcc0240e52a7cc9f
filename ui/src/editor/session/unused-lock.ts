// The lock of a session that never started: the user left before the page opened, or opening failed after the lock was
// acquired. A retry reuses the lock; leaving releases it.
import type { AssetsApi, Backend, LocksApi } from "../../api/backend";
import type { LockTokens } from "../../editing/locks/lock-tokens";

export async function releaseUnused({ locks, assets }: Pick<Backend, "locks" | "assets">, tokens: LockTokens, path: string): Promise<void> {
  const newest = tokens.newest;
  if (newest === null) return;
  const { pageId, lock } = newest;
  // A draft's files are deleted with it, without a question: its lock expires unless the user returns.
  if (tokens.readDraft(path) === pageId && (await mayHaveFiles(assets, pageId))) return;
  tokens.remove(pageId);
  tokens.removeDraft(path);
  try {
    await locks.release(pageId, lock.token);
  } catch {
    // The lock expires by itself, and there is no user to notify any more.
  }
}

/** For a closing tab: it cannot wait for an answer. */
export function releaseUnusedOnClose(locks: Pick<LocksApi, "releaseOnClose">, tokens: LockTokens, path: string): void {
  const newest = tokens.newest;
  if (newest !== null && tokens.readDraft(path) !== newest.pageId) locks.releaseOnClose(newest.pageId, newest.lock.token);
}

async function mayHaveFiles(assets: Pick<AssetsApi, "list">, pageId: string): Promise<boolean> {
  try {
    return (await assets.list(pageId)).length > 0;
  } catch {
    return true;
  }
}
