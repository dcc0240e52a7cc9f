// New names for several files from a pattern. Pure: a selection in, names out.
import type { FolderEntry } from "../../api/backend";
import { type NamePart, partsOfName, typedName } from "../../api/formats/file-extension";
import { type EncodedPath, encodeName, parentPath, ROOT_PATH } from "../../api/names";

/** The maximum length of a name, in bytes. */
const MAX_BYTES = 255;

export type NameFault = "empty" | "slash" | "hidden" | "long";

/** Returns the reason why a text can't be a file name. The server applies the same rules. */
export function faultOf(name: string): NameFault | null {
  if (name === "") return "empty";
  if (name.includes("/")) return "slash";
  if (name.startsWith(".")) return "hidden";
  return new TextEncoder().encode(name).length > MAX_BYTES ? "long" : null;
}

/** Splits a name before its last dot. A folder's name has no extension. */
export function partedName({ name, kind }: Pick<FolderEntry, "name" | "kind">): NamePart {
  return kind === "folder" ? { stem: name, extension: "" } : partsOfName(name);
}

export interface Pattern {
  text: string;
  /** The number of the first file. */
  start: number;
}

export interface Renamed {
  from: FolderEntry;
  to: string;
}

const FIELDS = /\{(name|date|time|n{1,9})\}/g;

/** Returns the initial text for renaming one file: its name, unless that contains fields of a pattern. */
export function firstText(entry: FolderEntry): NamePart {
  const { stem, extension } = partedName(entry);
  return { stem: stem.search(FIELDS) < 0 ? stem : "{name}", extension };
}

export interface OneName {
  renamed: Renamed;
  /** The extension of the file; `extension` is the new one. */
  before: string;
  extension: string;
  /** True if the extension is kept although the text does not end in it. */
  isKept: boolean;
}

/** Returns the new name of one file from a text or pattern. `bare` drops an extension that would be kept. */
export function nameOfOne({ text, start }: Pattern, entry: FolderEntry, bare: boolean): OneName | { undated: FolderEntry } {
  const { extension: before } = partedName(entry);
  const typed = typedName(text, before);
  const extension = typed.isOpen && bare ? "" : typed.extension;
  const filled = namesFrom({ text: typed.stem, start }, [{ ...entry, kind: "folder", name: partedName(entry).stem }]);
  if (!Array.isArray(filled)) return { undated: entry };
  const name = filled[0]?.to ?? "";
  return { renamed: { from: entry, to: name === "" ? "" : name + extension }, before, extension, isKept: typed.isOpen };
}

/** Returns the new names of files in order, or the first file whose capture time is unknown but needed. */
export function namesFrom({ text, start }: Pattern, entries: readonly FolderEntry[]): Renamed[] | { undated: FolderEntry } {
  const renamed: Renamed[] = [];
  for (const [at, entry] of entries.entries()) {
    const { stem, extension } = partedName(entry);
    const moment = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})/.exec(entry.taken ?? "");
    if (!moment && /\{(date|time)\}/.test(text)) return { undated: entry };
    const [, date = "", hours, minutes, seconds] = moment ?? [];
    const name = text.replace(FIELDS, (_, place: string) => {
      if (place === "name") return stem;
      if (place === "date") return date;
      // Other systems do not allow a colon in a name.
      if (place === "time") return `${hours}-${minutes}-${seconds}`;
      return String(start + at).padStart(place.length, "0");
    });
    renamed.push({ from: entry, to: name + extension });
  }
  return renamed;
}

/** Returns the first name that two files of one folder would share. */
export function duplicateName(renamed: readonly Renamed[]): string | null {
  const seen = new Set<string>();
  for (const { from, to } of renamed) {
    const whole = encodeName({ ...from, name: to, name_bytes: null });
    if (seen.has(whole)) return to;
    seen.add(whole);
  }
  return null;
}

/** Groups renames by the folder of their files, as paths from the current folder. */
export function byFolder(renamed: readonly Renamed[]): Map<EncodedPath, Renamed[]> {
  const folders = new Map<EncodedPath, Renamed[]>();
  for (const one of renamed) {
    const folder = parentPath(encodeName(one.from)) ?? ROOT_PATH;
    const some = folders.get(folder);
    if (some) some.push(one);
    else folders.set(folder, [one]);
  }
  return folders;
}
