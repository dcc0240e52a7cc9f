// Why a thumbnail did not come, and whether to ask again: an <img> itself only says that it failed.
import { hasCode } from "../api/errors";
import type { FoldersApi } from "../api/backend";

export type Outcome = "again" | { failed: unknown };

/** The queue or the server was full, or the file is still being written. */
const PASSING = ["queue_full", "source_changing", "too_many_connections", "out_of_handles"] as const;
const AT_MOST = 5;
const FIRST_WAIT = 800;

/** Asks why; waits before it says "again". Rejects only when `signal` ends it. */
export async function afterFailure(
  folders: Pick<FoldersApi, "probe">,
  url: string,
  attempt: number,
  signal: AbortSignal,
): Promise<Outcome> {
  let reason: unknown = null;
  try {
    await folders.probe(url, signal);
  } catch (error) {
    signal.throwIfAborted();
    reason = error;
  }
  // It is there now, or what was in the way passes: worth another try, but not for ever.
  if (attempt < AT_MOST && (reason === null || hasCode(reason, ...PASSING))) {
    await sleep(FIRST_WAIT * 2 ** attempt);
    signal.throwIfAborted();
    return "again";
  }
  return { failed: reason };
}

function sleep(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
