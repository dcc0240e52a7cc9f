// The routes whose views show jobs.
import { CACHE_ADDRESS, CACHE_JOBS } from "../../api/addresses/cache-address";
import { duplicatesAddress } from "../../api/addresses/duplicates-address";
import { HASH_JOBS } from "../../api/hashes";
import { hashesAddress } from "../../api/addresses/hashes-address";
import { PICTURE_TAGS_ADDRESS } from "../../api/addresses/picture-tags-address";
import type { ShownKind } from "../../jobs/keys";
import type { RouteName } from "../routes";
import { SETTINGS_ADDRESS } from "../settings/view";

/** The route whose view shows jobs of a kind. */
export function jobRoute(kind: ShownKind): Extract<RouteName, "hashes" | "cache" | "pictureTags" | "duplicates" | "settings"> {
  if (kind === "rename_tags") return "pictureTags";
  if (kind === "find_duplicates") return "duplicates";
  if (HASH_JOBS.some((one) => one === kind)) return "hashes";
  return CACHE_JOBS.some((one) => one === kind) ? "cache" : "settings";
}

/** The address that shows a job. */
export function jobAddress({ id, kind }: { id: string; kind: ShownKind }): string {
  return {
    hashes: hashesAddress({ part: "report", job: id }),
    cache: CACHE_ADDRESS,
    pictureTags: PICTURE_TAGS_ADDRESS,
    duplicates: duplicatesAddress(null, id),
    settings: `${SETTINGS_ADDRESS}#${kind}`,
  }[jobRoute(kind)];
}
