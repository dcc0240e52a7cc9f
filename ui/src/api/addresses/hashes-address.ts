// The addresses of the hash records: `/hashes`, one of its parts, the records of one file or folder or those that match
// a filter, and the report of one run.
import type { FilePlace } from "../backend";
import { HASH_KINDS, HASH_STATES, type HashKind, type HashState } from "../hashes";
import { canonicalPath } from "../names";

export const HASHES_ADDRESS = "/hashes";

export const HASHES_PARTS = ["records", "report", "removed", "schedule"] as const;
export type HashesPart = (typeof HASHES_PARTS)[number];

/** A filter of the records. */
export interface HashFilter {
  state: HashState | null;
  kind: HashKind | null;
  /** A part of the path. */
  q: string;
}

export const NO_HASH_FILTER: HashFilter = { state: null, kind: null, q: "" };

export interface HashesPlace {
  part: HashesPart;
  /** Limits the records to this file, or to the files in this folder. */
  within: FilePlace | null;
  filter: HashFilter;
  /** The job of the report; the last verification or recording without it. */
  job: string | null;
}

export function hashesAddress({ part = "records", within = null, filter = NO_HASH_FILTER, job = null }: Partial<HashesPlace> = {}): string {
  const { state, kind, q } = filter;
  const query = [
    ...(part === "records" ? [] : [`part=${part}`]),
    ...(within === null ? [] : [`root=${encodeURIComponent(within.root)}`, `path=${within.path}`]),
    ...(job === null ? [] : [`job=${encodeURIComponent(job)}`]),
    ...(state === null ? [] : [`state=${state}`]),
    ...(kind === null ? [] : [`kind=${kind}`]),
    ...(q === "" ? [] : [`q=${encodeURIComponent(q)}`]),
  ];
  return query.length === 0 ? HASHES_ADDRESS : `${HASHES_ADDRESS}?${query.join("&")}`;
}

/** The place of an address; null for any other address. */
export function parseHashesAddress({ pathname, searchParams, search }: URL): HashesPlace | null {
  if (pathname !== HASHES_ADDRESS) return null;
  const root = searchParams.get("root");
  // Not by `searchParams`: a name that is not UTF-8 would change.
  const path = /[?&]path=([^&]*)/.exec(search)?.[1] ?? "";
  return {
    part: HASHES_PARTS.find((one) => one === searchParams.get("part")) ?? "records",
    within: root === null ? null : { root, path: canonicalPath(path) },
    filter: {
      state: HASH_STATES.find((one) => one === searchParams.get("state")) ?? null,
      kind: HASH_KINDS.find((one) => one === searchParams.get("kind")) ?? null,
      q: searchParams.get("q") ?? "",
    },
    job: searchParams.get("job"),
  };
}
