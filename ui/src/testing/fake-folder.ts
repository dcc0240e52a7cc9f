// What a folder answers to a query: a poor relation of the server's, for names that are told apart by their letters.
import type { FolderEntry, FolderListing, FolderQuery } from "../api/backend";

export function folderPart(entries: readonly FolderEntry[], query: FolderQuery): Pick<FolderListing, "entries" | "total" | "pictures"> {
  const { filter = "", kind, offset = 0, limit = 100 } = query;
  const named = entries.filter(({ name }) => name.includes(filter));
  const found = named.filter((entry) => (kind === undefined || entry.kind === kind) && isLetThrough(entry, query));
  return {
    total: found.length,
    pictures: named.filter((entry) => entry.kind === "picture").length,
    entries: found.slice(offset, offset + limit),
  };
}

function isLetThrough(entry: FolderEntry, { rating, tag, type, taken_from, taken_to }: FolderQuery): boolean {
  const wanted = [rating, tag, type, taken_from, taken_to];
  if (wanted.every((one) => one === undefined)) return true;
  const day = dayOf(entry);
  return (
    entry.kind === "picture" &&
    (rating === undefined || isRated(entry.rating ?? 0, rating)) &&
    (tag === undefined || (entry.tags ?? []).some((one) => one === tag || one.startsWith(`${tag}/`))) &&
    (type === undefined || type.split(",").some((one) => entry.name.endsWith(`.${one}`))) &&
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
