// Keys that identify results.
import type { SearchItem } from "../../api/search";

/** Unique within a kind. */
export function keyOf(item: SearchItem): string {
  switch (item.kind) {
    case "page":
      return item.page_id;
    case "file":
      return item.asset_id;
    case "picture":
      return `${item.root} ${item.root_path_bytes ?? ""} ${item.root_path}`;
    case "record":
      return `${item.path_bytes ?? ""} ${item.path.text}`;
  }
}

/** Unique within all kinds. */
export function idOf(item: SearchItem): string {
  return `${item.kind} ${keyOf(item)}`;
}
