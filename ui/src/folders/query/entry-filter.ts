// The filter for entries that are in the page already, by the same rules as the server's (docs/API.md). Pure.
import { PICTURE_FORMATS } from "virtual:picture-formats";
import type { FolderEntry, KnownTag } from "../../api/backend";
import { fold } from "../../i18n/fold";
import type { Filter, RatingFilter } from "./filter";

/** Returns true if a picture passes the filter. What has not been read of it yet is missing. */
export function passesFilter(entry: FolderEntry, filter: Filter): boolean {
  const { text, rating, types, from, to, tag, caption, hasCaption } = filter;
  const names = [entry, ...(entry.companions ?? [])].map(({ name }) => name);
  const day = dayTaken(entry);
  return (
    names.some((name) => fold(name).includes(fold(text))) &&
    (rating === null || passesRating(entry.rating ?? 0, rating)) &&
    (types.length === 0 || names.some((name) => types.includes(typeOf(name)))) &&
    (from === null || day >= from) &&
    (to === null || day <= to) &&
    (tag === null || (entry.tags ?? []).some((one) => levels(one).includes(levels(tag)))) &&
    (caption === null || fold(entry.caption ?? "").includes(fold(caption))) &&
    (hasCaption === null || Boolean(entry.caption) === hasCaption)
  );
}

/** Returns the tags of entries, most frequent first. */
export function tagsOf(entries: readonly FolderEntry[]): KnownTag[] {
  const counts = new Map<string, number>();
  for (const tag of entries.flatMap(({ tags }) => tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].map(([tag, count]) => ({ tag, count }));
  return tags.sort((one, other) => other.count - one.count);
}

function passesRating(is: number, wanted: RatingFilter): boolean {
  if (wanted === "unrated") return is === 0;
  return wanted === "rejected" ? is < 0 : is >= Number(wanted);
}

function typeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return PICTURE_FORMATS.find(({ extensions }) => extensions.includes(extension))?.filter ?? "";
}

/** Returns the day on which a picture was taken, or else changed, by the clock of this computer. */
function dayTaken({ taken, mtime }: FolderEntry): string {
  if (taken) return taken.slice(0, 10);
  const changed = new Date(mtime);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${changed.getFullYear()}-${two(changed.getMonth() + 1)}-${two(changed.getDate())}`;
}

/** Returns a path of tags, with separators also at its ends. */
function levels(tag: string): string {
  return `/${fold(tag)}/`;
}
