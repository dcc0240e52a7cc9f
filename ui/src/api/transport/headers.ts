// The headers that carry locks and revisions.
import type { PageLock } from "../backend";
import { ApiError } from "../errors";

/** Reads `X-Page-Lock: expire=… token=…`. */
export function pageLockOf(response: Response): PageLock {
  const header = response.headers.get("X-Page-Lock") ?? "";
  const fields = new Map(
    header
      .split(/[\s;]+/)
      .filter((part) => part !== "")
      .map((part) => {
        const cut = part.indexOf("=");
        return [part.slice(0, cut), part.slice(cut + 1)] as const;
      }),
  );
  const token = fields.get("token");
  const expire = fields.get("expire");
  if (!token || !expire) throw new ApiError("internal", response.status, "the answer has no X-Page-Lock");
  return { token, expire };
}

/** The header that proves a lock. */
export function lockProof(token: string): { "X-Lock-Authentication": string } {
  return { "X-Lock-Authentication": `token=${token}` };
}
