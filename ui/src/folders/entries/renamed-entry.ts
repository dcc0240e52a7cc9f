// Entries after a rename.
import type { FolderEntry } from "../../api/backend";
import { type EncodedPath, encodeName, lastSegment, readableSegment, pathFields } from "../../api/names";

/** Returns an entry under its new name. */
export function withNewName(entry: FolderEntry, names: ReadonlyMap<EncodedPath, EncodedPath>): FolderEntry {
  const to = names.get(encodeName(entry));
  if (to === undefined) return entry;
  const name = lastSegment(to);
  const fields = pathFields(name);
  return { ...entry, name: readableSegment(name), name_bytes: "path_bytes" in fields ? fields.path_bytes : undefined };
}
