// The dates beside a grid that is grouped by date: where they are in the whole content. Pure: numbers in, numbers out.
import type { FolderGroup } from "../../api/backend";
import type { Shape } from "./grid-geometry";

/** The least distance of two labels, in pixels. */
const DISTANCE = 22;
/** The number of entries from which a scale helps. It does not depend on the layout, which the scale itself changes. */
const MIN_ENTRIES = 100;

export interface DateLabel {
  /** The year, or the month where all are of one year: "2026", "2026-11". */
  key: string;
  /** The distance from the top of the scale, in pixels. */
  y: number;
}

/** True if the groups are of several years or months, and have many entries. */
export function hasDateScale(groups: readonly Pick<FolderGroup, "key" | "count">[]): boolean {
  const dated = groups.filter(({ key }) => key);
  const isLong = dated.reduce((sum, { count }) => sum + count, 0) >= MIN_ENTRIES;
  return isLong && new Set(dated.map(({ key }) => key?.slice(0, "2026-11".length))).size > 1;
}

/** Returns the labels of a scale: the first group of each year, or of each month where all are of one year. */
export function dateLabels(shape: Shape, groups: readonly Pick<FolderGroup, "key">[], height: number): DateLabel[] {
  const dated = shape.sections.flatMap((section) => {
    const key = groups[section.at]?.key;
    return key ? [{ key, top: section.top }] : [];
  });
  const years = new Set(dated.map(({ key }) => key.slice(0, 4)));
  const length = years.size > 1 ? "2026".length : "2026-11".length;
  const labels: DateLabel[] = [];
  let before = "";
  for (const { key, top } of dated) {
    const label = key.slice(0, length);
    if (label === before) continue;
    before = label;
    const y = yOf(shape, top, height);
    const last = labels.at(-1);
    if (last === undefined || y - last.y >= DISTANCE) labels.push({ key: label, y });
  }
  return labels;
}

/** Returns the place in a scale of an offset in the content. */
export function yOf({ contentHeight }: Shape, top: number, height: number): number {
  return Math.min(1, Math.max(0, top / Math.max(1, contentHeight - height))) * height;
}

/** Returns the offset in the content at a place in the scale. */
export function topAt({ contentHeight }: Shape, y: number, height: number): number {
  return Math.min(1, Math.max(0, y / Math.max(1, height))) * Math.max(0, contentHeight - height);
}
