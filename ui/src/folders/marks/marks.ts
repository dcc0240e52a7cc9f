// The ratings, tags, captions, turns, crops and dates of pictures. Pure: marks and a change in, marks out.
import type { FolderEntry, Marks, MarksChange } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import { t } from "../../i18n";
import { isSameCrop, partOf, WHOLE, withCrop } from "../entries/crops";
import { combined, FLIP_ACROSS, FLIP_DOWN, NO_TURN, reversed, TURN_LEFT, turnBetween, turnOf, withTurn } from "../entries/turns";
import { applyDate, inverseDate, statedDate, withDate } from "./dates";

export const REJECTED = -1;
export const UNRATED = 0;
export const STARS = [1, 2, 3, 4, 5] as const;

export type Marked = Pick<FolderEntry, "rating" | "tags" | "caption" | "turn" | "crop" | "taken" | "taken_in_sidecar" | "taken_in_file">;

export function ratingOf({ rating }: Marked): number {
  return rating ?? UNRATED;
}

export function tagsOf({ tags }: Marked): readonly string[] {
  return tags ?? [];
}

/** Returns an entry with other marks. Empty marks are absent, as in a listing. */
export function withMarks(entry: FolderEntry, { rating, tags, caption, orientation, crop, taken }: Marks): FolderEntry {
  // Without the orientation of its file, which is read later, the turn of a picture is unknown.
  const turn = entry.orientation ? turnBetween(entry.orientation, orientation) : turnOf(entry);
  const dated = withDate(entry, taken ?? null);
  return withTurn(withCrop({ ...dated, rating: rating || null, tags: tags.length > 0 ? tags : null, caption: caption || null }, crop ?? null), turn);
}

/** Returns an entry with its new marks, if there are any for it. */
export function applyMarks(entry: FolderEntry, marks: ReadonlyMap<EncodedPath, Marks>): FolderEntry {
  const now = marks.get(encodeName(entry));
  return now ? withMarks(entry, now) : entry;
}

export function isMarked({ rating, tags, caption, turn, crop, taken_in_sidecar }: Marked): boolean {
  return Boolean(rating) || (tags ?? []).length > 0 || Boolean(caption) || Boolean(turn) || Boolean(crop) || Boolean(taken_in_sidecar);
}

/** Fills in the previous marks of entries without marks, some of which may not have been read yet. */
export function preserveMarks(entries: readonly FolderEntry[], before: readonly FolderEntry[]): readonly FolderEntry[] {
  if (before.length === 0) return entries;
  const previous = new Map(before.map((entry) => [encodeName(entry), entry]));
  return entries.map((entry) => {
    const had = isMarked(entry) ? undefined : previous.get(encodeName(entry));
    if (!had) return entry;
    const marked = { ...withDate(entry, statedDate(had)), rating: had.rating ?? null, tags: had.tags ?? null, caption: had.caption ?? null };
    return withTurn(withCrop(marked, had.crop ?? null), turnOf(had));
  });
}

/** Replaces entries by their newer versions, if known. */
export function withLatest(entries: readonly FolderEntry[], current: Iterable<FolderEntry>): readonly FolderEntry[] {
  if (entries.length === 0) return entries;
  const now = new Map([...current].map((entry) => [encodeName(entry), entry]));
  return entries.map((entry) => now.get(encodeName(entry)) ?? entry);
}

/** Returns an entry as it is after a change. */
export function applyChange(entry: FolderEntry, { rating, add = [], remove = [], caption, keepsCaption, turn, crop, taken, shift }: MarksChange): FolderEntry {
  const remaining = tagsOf(entry).filter((tag) => !remove.includes(tag));
  const tags = [...remaining, ...add.filter((tag) => !remaining.includes(tag))];
  const marked = { ...applyDate(entry, { taken, shift }), rating: (rating ?? ratingOf(entry)) || null, tags: tags.length > 0 ? tags : null, caption: captionAfter(entry, caption, keepsCaption) };
  const cropped = crop === undefined ? marked : withCrop(marked, partOf(crop));
  return turn === undefined ? cropped : withTurn(cropped, combined(turnOf(entry), turn));
}

function captionAfter({ caption }: Marked, wanted: string | undefined, isKept = false): string | null {
  return (wanted === undefined || (isKept && caption) ? caption : wanted) || null;
}

/** Returns the change that reverts a change of an entry; null if it changes nothing. */
export function inverseChange(before: Marked, { rating, add = [], remove = [], caption, keepsCaption, turn, crop, taken, shift }: MarksChange): MarksChange | null {
  const had = tagsOf(before);
  const back: MarksChange = inverseDate(before, { taken, shift });
  if (rating !== undefined && rating !== ratingOf(before)) back.rating = ratingOf(before);
  const added = add.filter((tag) => !had.includes(tag));
  const removed = remove.filter((tag) => had.includes(tag));
  if (added.length > 0) back.remove = added;
  if (removed.length > 0) back.add = removed;
  if (captionAfter(before, caption, keepsCaption) !== (before.caption || null)) back.caption = before.caption ?? "";
  if (turn !== undefined && turn !== NO_TURN) back.turn = reversed(turn);
  if (crop !== undefined && !isSameCrop(before.crop, crop)) back.crop = before.crop ?? WHOLE;
  return Object.keys(back).length > 0 ? back : null;
}

/** Returns the change that brings an entry back to its marks before a change, whatever happened to these marks since. */
export function restoringChange(before: Marked, { rating, add = [], remove = [], caption, turn, crop, taken, shift }: MarksChange): MarksChange {
  const had = tagsOf(before);
  const touched = [...new Set([...add, ...remove])];
  return {
    ...(rating === undefined ? {} : { rating: ratingOf(before) }),
    ...(caption === undefined ? {} : { caption: before.caption ?? "" }),
    ...(turn === undefined ? {} : { turn: reversed(turn) }),
    ...(crop === undefined ? {} : { crop: before.crop ?? WHOLE }),
    ...(taken === undefined && !shift ? {} : { taken: statedDate(before) ?? "" }),
    add: touched.filter((tag) => had.includes(tag)),
    remove: touched.filter((tag) => !had.includes(tag)),
  };
}

/** Returns a rating in words. */
export function ratingWords(rating: number): string {
  if (rating === UNRATED) return t("marks.unrated");
  return rating < UNRATED ? t("marks.rejected") : t("marks.stars", { count: rating });
}

/** Returns a rating as stars, or as a word if it has none. */
export function ratingStars(rating: number): string {
  return rating > UNRATED ? "★".repeat(rating) : ratingWords(rating);
}

/** Returns the tags of pictures with the number of pictures for each, in order of occurrence. */
export function tagsAmong(entries: readonly Marked[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    for (const tag of tagsOf(entry)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].map(([tag, count]) => ({ tag, count }));
}

/** Returns the rating that all pictures share; null if they differ. */
export function commonRating(entries: readonly Marked[]): number | null {
  const ratings = new Set(entries.map(ratingOf));
  const [only] = ratings;
  return ratings.size === 1 && only !== undefined ? only : null;
}

const SEPARATORS = /[,，、]/u;

/** Splits typed text into tags. The last one may still be incomplete. */
export function typedTags(text: string): { whole: string[]; rest: string } {
  const parts = text.split(SEPARATORS);
  const rest = parts.pop() ?? "";
  return { whole: parts.map((part) => part.trim()).filter((part) => part !== ""), rest: rest.trimStart() };
}

/** Returns the command that turns pictures so. */
export function turnLabel(turn: number): string {
  if (turn === FLIP_ACROSS) return t("turns.across");
  if (turn === FLIP_DOWN) return t("turns.down");
  return t(turn === TURN_LEFT ? "turns.left" : "turns.right");
}
