// The columns of a folder that is shown as a list.
import type { FolderEntry, PictureColumn, PictureLayout, SortKey } from "../../api/backend";
import { formatBytes, formatCameraTime, formatDateTime, formatNumber, t } from "../../i18n";
import { formatDuration, typeOf } from "../entries/video";
import { tagsOf } from "../marks/marks";
import type { Order } from "../query/listing-query";

export interface FolderLayout {
  kind: PictureLayout;
  /** The columns of the list, beside the names. */
  columns: readonly PictureColumn[];
}

/** The columns of a list, and its order. */
export interface ListOptions {
  columns: readonly PictureColumn[];
  oncolumns: (columns: readonly PictureColumn[]) => void;
  order: Order;
  onorder: (order: Order) => void;
}

/** All columns, in the order in which they are shown, with their widths in pixels. */
const WIDTHS: Readonly<Record<PictureColumn, number>> = { taken: 186, modified: 186, type: 64, size: 84, pixels: 112, duration: 100, rating: 84, camera: 160, tags: 160 };
export const COLUMNS = Object.keys(WIDTHS) as readonly PictureColumn[];
/** The least width of the names, in pixels. */
const NAME = 150;
/** The room at the end of each row, in which the header has the choice of columns, in pixels. */
const END = 28;
/** The columns with numbers, which are aligned at their end. */
export const NUMERIC: ReadonlySet<PictureColumn> = new Set(["size", "pixels", "duration"]);

export function otherLayout(layout: FolderLayout): FolderLayout {
  return { ...layout, kind: layout.kind === "grid" ? "list" : "grid" };
}

/** Returns the columns with one more, or one fewer. */
export function toggled(columns: readonly PictureColumn[], column: PictureColumn): readonly PictureColumn[] {
  return COLUMNS.filter((one) => (one === column ? !columns.includes(one) : columns.includes(one)));
}

/** Returns the columns for which there is room beside the names in a row of this width, the first ones first. */
export function columnsThatFit(columns: readonly PictureColumn[], width: number): readonly PictureColumn[] {
  let room = width - NAME - END;
  return columns.filter((column) => {
    const fits = WIDTHS[column] <= room;
    if (fits) room -= WIDTHS[column];
    return fits;
  });
}

/** Returns the value of `grid-template-columns`. */
export function tracks(columns: readonly PictureColumn[]): string {
  return ["minmax(0, 1fr)", ...columns.map((column) => `${WIDTHS[column]}px`), `${END}px`].join(" ");
}

/** Returns the property by which a column is sorted; null if it can't be. */
export function sortOf(column: PictureColumn): SortKey | null {
  return column === "tags" ? null : column;
}

/** Returns the order after a press on a column: by it, or by it in the other direction. */
export function orderBy(order: Order, sort: SortKey): Order {
  return order.sort === sort ? { sort, order: order.order === "asc" ? "desc" : "asc" } : { sort, order: sort === "rating" ? "desc" : "asc" };
}

/** Returns the text of an entry in a column, empty where it is unknown. The rating is drawn as stars. */
export function columnText(entry: FolderEntry, column: Exclude<PictureColumn, "rating">): string {
  const { kind, size, mtime, taken, width, height, camera } = entry;
  const isFolder = kind === "folder";
  switch (column) {
    case "taken":
      return taken ? formatCameraTime(taken) : "";
    case "modified":
      return formatDateTime(mtime);
    case "type":
      return isFolder || !entry.name.includes(".") ? "" : typeOf(entry);
    case "size":
      return isFolder ? "" : formatBytes(size);
    case "pixels":
      return width && height ? t("folders.column_pixels", { width: formatNumber(width), height: formatNumber(height) }) : "";
    case "duration":
      return entry.duration ? formatDuration(entry.duration) : "";
    case "camera":
      return camera ?? "";
    case "tags":
      return tagsOf(entry).join(", ");
  }
}
