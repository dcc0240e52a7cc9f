// The status bar items of a folder, or of the picture in the viewer.
import type { FolderEntry, FolderSize, FolderWatching } from "../api/backend";
import type { StatusItem } from "../api/host";
import { formatBytes, formatCameraTime, formatDateTime, formatNumber, t } from "../i18n";
import { dependsOnHeaders, hasMetadataFilter, isFiltered } from "./query/listing-query";
import { partialWords } from "../search-results/partial-words";
import { formatDuration } from "./entries/video";
import type { Listing } from "./listing/listing.svelte";
import type { Selection } from "./selection/selection.svelte";
import { selectionStatus } from "./selection/selection-words";

/** `inside` is the number of pictures in the folder and below it, if it is known. */
export function folderStatus(listing: Listing, selection: Selection, watching: FolderWatching | null, inside: number | undefined, size: FolderSize | null): StatusItem[] {
  return [
    selectionStatus(selection) ?? countStatus(listing, inside),
    ...sizeStatus(listing, size),
    ...progressStatus(listing),
    ...partialStatus(listing),
    ...orderStatus(listing),
    ...leftOutStatus(listing),
    ...watchStatus(watching),
  ];
}

export function pictureStatus({ width, height, size, mtime, taken, duration }: FolderEntry, position: string | null): StatusItem[] {
  const pixels = width && height ? `${width} × ${height} · ` : "";
  const measures = duration ? `${pixels}${formatDuration(duration)} · ` : pixels;
  return [
    ...(position === null ? [] : [{ id: "position", text: position, testId: "picture-position" }]),
    { id: "about", text: `${measures}${formatBytes(size)}`, testId: "picture-about" },
    { id: "modified", text: taken ? t("folders.taken_at", { time: formatCameraTime(taken) }) : t("folders.modified_at", { time: formatDateTime(mtime) }) },
  ];
}

/** Returns how many files are as recorded. */
export function hashStatus(counts: { verified: number; of: number } | null): StatusItem[] {
  if (counts === null) return [];
  const { verified, of } = counts;
  if (verified === of) return [{ id: "verified", text: t("folders.verified", { count: of }), tone: "good", testId: "folder-verified" }];
  return [{ id: "verified", text: t("folders.verified_part", { count: verified, of: formatNumber(of) }), testId: "folder-verified" }];
}

/** Returns the progress of a file operation. */
export function fileStatus(progress: string | null): StatusItem[] {
  return progress === null ? [] : [{ id: "files", text: progress, tone: "busy", testId: "files-working" }];
}

function countStatus(listing: Listing, inside: number | undefined): StatusItem {
  const { query, pictures, nameMatches } = listing;
  if (listing.hasFolders) {
    const own = pictures > 0 ? [t("folders.count", { count: pictures })] : [];
    const below = inside === undefined || inside < pictures ? [] : [t("folders.inside", { count: inside - pictures })];
    return { id: "count", text: [...own, t("folders.folder_count", { count: listing.folders }), ...below].join(" · "), testId: "folder-count" };
  }
  if (hasMetadataFilter(query)) {
    return { id: "count", text: t("filter.count", { count: pictures, of: formatNumber(nameMatches) }), testId: "folder-count" };
  }
  const words = query.filter ? "folders.count_found" : "folders.count";
  return { id: "count", text: t(words, { count: pictures }), testId: "folder-count" };
}

/** Returns the size of the folder's files, unless a filter hides some of them, or of the found pictures', and the free space. */
function sizeStatus({ query }: Listing, size: FolderSize | null): StatusItem[] {
  const isOfAll = query.search !== undefined || !isFiltered(query);
  const free = typeof size?.free === "number" ? t("folders.free", { size: formatBytes(size.free) }) : null;
  const bytes = typeof size?.bytes === "number" && size.bytes > 0 && isOfAll ? formatBytes(size.bytes) : null;
  const text = free !== null && bytes !== null ? t("folders.size_and_free", { size: bytes, free }) : (bytes ?? free);
  return text === null ? [] : [{ id: "size", text, testId: "folder-size" }];
}

/** Returns the last change of ratings or tags. */
export function markStatus(message: string | null): StatusItem[] {
  return message === null ? [] : [{ id: "marked", text: message, live: true, testId: "marks-status" }];
}

/** Returns a notice while the choice or the order of the pictures is still incomplete. */
function orderStatus({ unread, query }: Listing): StatusItem[] {
  if (!dependsOnHeaders(query) || unread === 0) return [];
  return [{ id: "dates", text: t("folders.dates_left", { count: unread }), testId: "folder-dates" }];
}

/** Returns a notice while more names are being read. */
function progressStatus({ progress }: Listing): StatusItem[] {
  return progress.isPartial ? [{ id: "growing", text: t("folders.growing"), tone: "busy", testId: "folder-growing" }] : [];
}

/** Returns the reason why a search may have missed pictures. */
function partialStatus({ partial }: Listing): StatusItem[] {
  return partial ? [{ id: "partial", text: partialWords(t, partial), testId: "results-partial" }] : [];
}

/** Returns the number of omitted folders below this one. */
function leftOutStatus({ omittedFolders }: Listing): StatusItem[] {
  if (omittedFolders === 0) return [];
  return [{ id: "left-out", text: t("filter.left_out", { count: omittedFolders }), title: t("filter.left_out_why"), testId: "folder-left-out" }];
}

/** Returns a notice if changes of the folder are only found by polling. */
function watchStatus(watching: FolderWatching | null): StatusItem[] {
  if (watching !== "polling") return [];
  return [{ id: "watching", text: t("folders.polling"), short: t("folders.polling_short"), title: t("folders.polling_why"), testId: "folder-polling" }];
}
