// A simplified folder query, for names that differ in their letters.
import type { FolderEntry, FolderGroup, FolderListing, FolderQuery } from "../api/backend";
import { partOf, type ServedRequest } from "./server";

type Query = ServedRequest<"GET /api/folders">["query"];

export function folderPart(entries: readonly FolderEntry[], query: Query): Pick<FolderListing, "entries" | "total" | "pictures" | "groups"> {
  const { filter = "", kind, order } = query;
  const group = query.group as Grouped | undefined;
  const listed = group === "folder" ? entries : entries.filter((entry) => !entry.folder);
  const named = listed.filter(({ name }) => name.includes(filter));
  const through = named.filter((entry) => (kind === undefined || entry.kind === kind) && matchesFilter(entry, query));
  const found = group === undefined ? through : byGroups(through, group, order === "desc" ? -1 : 1);
  return {
    ...(group === undefined ? {} : { groups: groupsOf(found, group) }),
    total: found.length,
    pictures: named.filter((entry) => entry.kind === "picture").length,
    entries: partOf(found, query),
  };
}

type Grouped = NonNullable<FolderQuery["group"]>;

function keyOf(entry: FolderEntry, group: Grouped): string | null {
  if (group === "folder") return entry.folder ?? "";
  if (entry.kind === "folder") return null;
  if (group === "camera") return entry.camera ?? "";
  if (group === "rating") return String(entry.rating ?? 0);
  return dayOf(entry).slice(0, { day: 10, month: 7, year: 4 }[group]);
}

/** Folders come first in either direction. */
function byGroups(entries: readonly FolderEntry[], group: Grouped, direction: 1 | -1): FolderEntry[] {
  if (group === "folder") return entries.filter(({ kind }) => kind !== "folder").toSorted((a, b) => direction * (a.folder ?? "").localeCompare(b.folder ?? ""));
  return entries.toSorted((a, b) => {
    const [one, other] = [keyOf(a, group), keyOf(b, group)];
    if (one === null || other === null) return Number(one !== null) - Number(other !== null);
    if (group === "rating") return Number(other) - Number(one);
    return direction * one.localeCompare(other);
  });
}

function groupsOf(entries: readonly FolderEntry[], group: Grouped): FolderGroup[] {
  const groups: FolderGroup[] = [];
  for (const [first, entry] of entries.entries()) {
    const [last, key] = [groups.at(-1), keyOf(entry, group)];
    if (last?.key === key) last.count += 1;
    else groups.push({ key, first, count: 1 });
  }
  return groups;
}

function matchesFilter(entry: FolderEntry, { rating, tag, caption, has_caption, type, taken_from, taken_to }: Query): boolean {
  const wanted = [rating, tag, caption, has_caption, type, taken_from, taken_to];
  if (wanted.every((one) => one === undefined)) return true;
  const day = dayOf(entry);
  return (
    entry.kind === "picture" &&
    (rating === undefined || isRated(entry.rating ?? 0, rating)) &&
    (tag === undefined || (entry.tags ?? []).some((one) => one === tag || one.startsWith(`${tag}/`))) &&
    (type === undefined || type.split(",").some((one) => entry.name.endsWith(`.${one}`))) &&
    (caption === undefined || (entry.caption ?? "").includes(caption)) &&
    (has_caption === undefined || String(Boolean(entry.caption)) === has_caption) &&
    (taken_from === undefined || day >= taken_from) &&
    (taken_to === undefined || day <= taken_to)
  );
}

function isRated(rating: number, wanted: string): boolean {
  if (wanted === "unrated") return rating === 0;
  return wanted === "rejected" ? rating < 0 : rating >= Number(wanted);
}

function dayOf({ taken, mtime }: FolderEntry): string {
  return (taken ?? mtime).slice(0, 10);
}
