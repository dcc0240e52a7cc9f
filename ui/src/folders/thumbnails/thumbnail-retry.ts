// Determines the reason why a thumbnail failed to load, and whether to retry: an <img> itself only reports the failure.
import { hasCode } from "../../api/errors";
import type { FoldersApi } from "../../api/backend";

export type Outcome = "again" | { failed: unknown };

/** The temporary errors: the queue or the server was full, or the file is still being written. */
const TEMPORARY_ERRORS = ["queue_full", "source_changing", "too_many_connections", "too_much_work", "out_of_handles"] as const;
const MAX_RETRIES = 5;
const FIRST_WAIT = 800;

/** Requests the reason, and waits before it returns "again". Rejects only if `signal` aborts. */
export async function retryAfterFailure(
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
  // The thumbnail is available now, or the obstacle is temporary: retry, but not forever.
  if (attempt < MAX_RETRIES && (reason === null || hasCode(reason, ...TEMPORARY_ERRORS))) {
    await sleep(FIRST_WAIT * 2 ** attempt);
    signal.throwIfAborted();
    return "again";
  }
  return { failed: reason };
}

function sleep(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
