// The addresses of the hash records: `/hashes`, one of its parts, or the records of one file or folder.
import type { FilePlace } from "./backend";
import { canonicalPath } from "./names";

export const HASHES_ADDRESS = "/hashes";

export const HASHES_PARTS = ["records", "report", "explain", "schedule"] as const;
export type HashesPart = (typeof HASHES_PARTS)[number];

export interface HashesPlace {
  part: HashesPart;
  /** Only the records of this file, or of the files in this folder. */
  within: FilePlace | null;
}

export function hashesAddress({ part = "records", within = null }: Partial<HashesPlace> = {}): string {
  if (within !== null) return `${HASHES_ADDRESS}?root=${encodeURIComponent(within.root)}&path=${within.path}`;
  return part === "records" ? HASHES_ADDRESS : `${HASHES_ADDRESS}?part=${part}`;
}

/** The place of an address; null for any other address. */
export function parseHashesAddress({ pathname, searchParams, search }: URL): HashesPlace | null {
  if (pathname !== HASHES_ADDRESS) return null;
  const part = HASHES_PARTS.find((one) => one === searchParams.get("part")) ?? "records";
  const root = searchParams.get("root");
  if (root === null) return { part, within: null };
  // Not by `searchParams`: a name that is not UTF-8 would be another one.
  const path = /[?&]path=([^&]*)/.exec(search)?.[1] ?? "";
  return { part, within: { root, path: canonicalPath(path) } };
}
