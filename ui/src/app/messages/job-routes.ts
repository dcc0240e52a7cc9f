// The routes whose views show jobs.
import { CACHE_ADDRESS, CACHE_JOBS } from "../../api/addresses/cache-address";
import { HASH_JOBS } from "../../api/hashes";
import { hashesAddress } from "../../api/addresses/hashes-address";
import type { ShownKind } from "../../jobs/keys";
import type { RouteName } from "../routes";
import { SETTINGS_ADDRESS } from "../settings/view";

/** The route whose view shows jobs of a kind. */
export function jobRoute(kind: ShownKind): Extract<RouteName, "hashes" | "cache" | "settings"> {
  if (HASH_JOBS.some((one) => one === kind)) return "hashes";
  return CACHE_JOBS.some((one) => one === kind) ? "cache" : "settings";
}

/** The address that shows a job. */
export function jobAddress({ id, kind }: { id: string; kind: ShownKind }): string {
  return {
    hashes: hashesAddress({ part: "report", job: id }),
    cache: CACHE_ADDRESS,
    settings: `${SETTINGS_ADDRESS}#${kind}`,
  }[jobRoute(kind)];
}
