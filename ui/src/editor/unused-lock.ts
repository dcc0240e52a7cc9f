// The lock of an editing that never began: the person was gone before the page had opened, or the opening failed when
// the lock was taken already. Another try goes on with it; whoever leaves gives it back.
import type { AssetsApi, Backend, LocksApi } from "../api/backend";
import type { LockTokens } from "../editing/lock-tokens";

export async function giveBackUnused({ locks, assets }: Pick<Backend, "locks" | "assets">, tokens: LockTokens, path: string): Promise<void> {
  const held = tokens.newest;
  if (held === null) return;
  const { pageId, lock } = held;
  // A draft's files end with it, and nobody could be asked: its lock runs out unless one comes back.
  if (tokens.readDraft(path) === pageId && (await mayHaveFiles(assets, pageId))) return;
  tokens.remove(pageId);
  tokens.removeDraft(path);
  try {
    await locks.release(pageId, lock.token);
  } catch {
    // It ends by itself, and nobody is here any more who could be told.
  }
}

/** For a tab that closes: nothing can be waited for. */
export function giveBackUnusedOnClose(locks: Pick<LocksApi, "releaseOnClose">, tokens: LockTokens, path: string): void {
  const held = tokens.newest;
  if (held !== null && tokens.readDraft(path) !== held.pageId) locks.releaseOnClose(held.pageId, held.lock.token);
}

async function mayHaveFiles(assets: Pick<AssetsApi, "list">, pageId: string): Promise<boolean> {
  try {
    return (await assets.list(pageId)).length > 0;
  } catch {
    return true;
  }
}
