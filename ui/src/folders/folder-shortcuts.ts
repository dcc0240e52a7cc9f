// The shortcuts of a folder.
import type { Shortcut } from "../api/host";
import { t } from "../i18n";
import type { Order } from "./query/listing-query";
import { nextSort, reversed } from "./query/order";
import { COMPARE_KEY, FILTER_BAR_KEY, FILTER_KEY, GO_TO_KEY, GROUP_KEY, JOIN_KEY, LAYOUT_KEY, LARGER_KEY, ORDER_KEY, OWN_FOLDER_KEY, SMALLER_KEY, SORT_KEY, UNFILTER_KEY } from "./shortcuts/keys";
import { resized } from "./toolbar/thumbnail-size";

export interface FolderCommands {
  /** The address of what is above the folder. */
  above: string;
  /** Returns the order when a key is pressed. */
  order: () => Order;
  size: () => number;
  onorder: (order: Order) => void;
  group: () => void;
  join: () => void;
  switchLayout: () => void;
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

export function folderShortcuts({ above, order, size, onorder, group, join, switchLayout, openOwnFolder, onsize, filter, filterBar, unfilter, goTo, refresh, compare, navigate }: FolderCommands): Shortcut[] {
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
    { id: "join-files", label: t("folders.join"), key: JOIN_KEY, run: join },
    { id: "layout", label: t("folders.layout_next"), key: LAYOUT_KEY, run: switchLayout },
    ...(openOwnFolder ? [{ id: "own-folder", label: t("filter.open_group"), key: OWN_FOLDER_KEY, run: openOwnFolder }] : []),
    { id: "larger", label: t("folders.larger"), key: LARGER_KEY, repeats: true, run: () => onsize(resized(size(), 1)) },
    { id: "smaller", label: t("folders.smaller"), key: SMALLER_KEY, repeats: true, run: () => onsize(resized(size(), -1)) },
  ];
}
