// The window's commands: the operations, answers and errors of HTTP, over the second transport.
import type { AssetsApi, CacheApi, LocksApi, RevisionsApi } from "./backend";
import { ApiError } from "./errors";
import { apiError, bodyOf, type Method, type Observer } from "./request";
import type { TtlApi } from "./ttl";

export type Invoke = (command: string, values?: Record<string, unknown>) => Promise<unknown>;

/** Calls a command. `method` is the method of the same request over HTTP. */
export type Command = <T>(method: Method, command: string, values?: Record<string, unknown>) => Promise<T>;

/** Creates a caller over Tauri's `invoke`. */
export function createCommand(observe: Observer, invoke: Invoke): Command {
  return async <T>(method: Method, command: string, values?: Record<string, unknown>) => {
    try {
      // The commands return the server's types; the contract's suite compares the two transports.
      const answer = (await invoke(command, values)) as T;
      observe({ method, error: null });
      return answer;
    } catch (cause) {
      const body = bodyOf(cause);
      const error = body === null ? new ApiError("internal", 0, String(cause), {}, { cause }) : apiError(body, 0);
      observe({ method, error });
      throw error;
    }
  };
}

export function commandLocks(command: Command): Omit<LocksApi, "releaseOnClose"> {
  return {
    acquire: (page_id, takeOver = false) => command("POST", "lock_acquire", { page_id, take_over: takeOver }),
    renew: (page_id, token) => command("PUT", "lock_renew", { page_id, token }),
    status: (page_id) => command("GET", "lock_status", { page_id }),
    release: (page_id, token) => command("DELETE", "lock_release", { page_id, token }),
  };
}

/** The Markdown history is read over HTTP. */
export function commandRevisions(command: Command): Omit<RevisionsApi, "markdown"> {
  return {
    list: (page_id, { before, limit } = {}) => command("GET", "revision_list", { page_id, before, limit }),
    diff: (page_id, from, to) => command("GET", "revision_diff", { page_id, from, to }),
    rollback: (page_id, rollback_to, token) => command("POST", "revision_rollback", { page_id, rollback_to, token }),
    compact: (page_id, keep_from, token) => command("POST", "revision_compact", { page_id, keep_from, token }),
  };
}

/** A page's own contents are uploaded over HTTP, where they are streamed. */
export function commandAssets(command: Command): Omit<AssetsApi, "upload" | "addFromFiles" | "contentsUrl" | "thumbUrl"> {
  return {
    list: (page_id, with_deleted = false) => command("GET", "asset_list", { page_id, with_deleted }),
    rename: (asset_id, file_name) => command("PATCH", "asset_rename", { asset_id, file_name }),
    remove: (asset_id, hard = false) => command("DELETE", "asset_remove", { asset_id, hard }),
    restore: (asset_id) => command("POST", "asset_restore", { asset_id }),
    orphans: (part) => command("GET", "asset_zombies", { ...part }),
    setOwner: (asset_id, page_id) => command("POST", "asset_set_owner", { asset_id, page_id }),
  };
}

/** The limit, the folder and clearing of the cache go over HTTP. */
export function commandCache(command: Command): Omit<CacheApi, "setLimit" | "setFolder" | "clear"> {
  return {
    stats: () => command("GET", "cache_stats"),
    gc: async () => (await command<{ id: string }>("POST", "cache_gc")).id,
  };
}

/** Operations without a command go over HTTP. */
export function commandTtl(command: Command): Pick<TtlApi, "setPolicy" | "run"> {
  return {
    setPolicy: (root, policy) => command("PUT", "ttl_policy_set", { ...(root === null ? {} : { root }), policy }),
    run: async () => (await command<{ id: string }>("POST", "ttl_run")).id,
  };
}
