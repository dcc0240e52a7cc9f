// The keys of a folder, and of its pictures in the viewer. The keys of a picture's zoom and position are in
// viewer-keys.ts.
import type { Host, Shortcut } from "../api/host";
import { type EncodedPath, parentPath } from "../api/names";
import { t } from "../i18n";
import { picturesAddress } from "./query/address";
import type { Order } from "./query/listing-query";
import { FILTER_BAR_KEY, FILTER_KEY, GROUP_KEY, nextSort, ORDER_KEY, OWN_FOLDER_KEY, reversed, SORT_KEY, UNFILTER_KEY } from "./query/order";
import { LARGER_KEY, resized, SMALLER_KEY } from "./toolbar/thumbnail-size";
import { GO_TO_KEY } from "./grid-input/type-ahead";
import { INFO_KEY } from "./viewer/viewer-key-names";

export const COMPARE_KEY = "c";

export interface GridDesk {
  root: string;
  path: EncodedPath;
  /** Returns the order when a key is pressed. */
  order: () => Order;
  size: () => number;
  onorder: (order: Order) => void;
  group: () => void;
  /** Opens the folder of the focused picture; null if all entries are in the folder itself. */
  openOwnFolder: (() => void) | null;
  onsize: (size: number) => void;
  filter: () => void;
  filterBar: () => void;
  unfilter: () => void;
  goTo: () => void;
  refresh: () => Promise<void>;
  compare: () => Promise<void>;
  navigate: (address: string) => Promise<void>;
}

export function gridKeys({ root, path, order, size, onorder, group, openOwnFolder, onsize, filter, filterBar, unfilter, goTo, refresh, compare, navigate }: GridDesk): Shortcut[] {
  const up = parentPath(path);
  const above = up === null ? "/pictures/" : picturesAddress(root, up);
  return [
    { id: "folder-up", label: t("folders.up"), key: "Backspace", run: () => navigate(above) },
    { id: "filter", label: t("folders.filter_focus"), key: FILTER_KEY, run: filter },
    { id: "filter-bar", label: t("filter.toggle"), key: FILTER_BAR_KEY, run: filterBar },
    { id: "unfilter", label: t("folders.unfilter"), key: UNFILTER_KEY, run: unfilter },
    { id: "go-to", label: t("folders.go_to"), key: GO_TO_KEY, run: goTo },
    { id: "refresh", label: t("folders.refresh"), key: "r", run: refresh },
    { id: "compare", label: t("folders.compare_do"), key: COMPARE_KEY, run: compare },
    { id: "sort", label: t("folders.sort_by"), key: SORT_KEY, run: () => onorder(nextSort(order())) },
    { id: "sort-order", label: t("folders.reverse"), key: ORDER_KEY, run: () => onorder(reversed(order())) },
    { id: "group", label: t("filter.group_by"), key: GROUP_KEY, run: group },
    ...(openOwnFolder ? [{ id: "own-folder", label: t("filter.open_group"), key: OWN_FOLDER_KEY, run: openOwnFolder }] : []),
    { id: "larger", label: t("folders.larger"), key: LARGER_KEY, repeats: true, run: () => onsize(resized(size(), 1)) },
    { id: "smaller", label: t("folders.smaller"), key: SMALLER_KEY, repeats: true, run: () => onsize(resized(size(), -1)) },
  ];
}

/** Registers shortcuts. Returns a function that removes them. */
export function registerAll(host: Host, keys: readonly Shortcut[]): () => void {
  const removers = keys.map((key) => host.registerShortcut(key));
  return () => {
    for (const remove of removers) remove();
  };
}

export interface ViewerDesk {
  step: (by: 1 | -1) => void;
  toggleInfo: () => void;
  close: () => Promise<void>;
  /** True if closing leads to a page, and not to the folder. */
  isOfPage: boolean;
}

export function viewerKeys({ step, toggleInfo, close, isOfPage }: ViewerDesk): Shortcut[] {
  const next = () => step(1);
  const previous = () => step(-1);
  return [
    { id: "next", label: t("folders.next"), key: "j", repeats: true, run: next },
    { id: "previous", label: t("folders.previous"), key: "k", repeats: true, run: previous },
    { id: "next-arrow", label: t("folders.next"), key: "ArrowRight", palette: false, repeats: true, run: next },
    { id: "previous-arrow", label: t("folders.previous"), key: "ArrowLeft", palette: false, repeats: true, run: previous },
    { id: "picture-info", label: t("folders.info_toggle"), key: INFO_KEY, run: toggleInfo },
    isOfPage
      ? { id: "back-to-page", label: t("folders.back_to_page"), key: "Escape", run: close }
      : { id: "back-to-folder", label: t("folders.back_to_folder"), key: "Escape", run: close },
  ];
}
