// The address of a page in the trash: its text, or one of its revisions, or its history.

import { t } from "../../i18n";
import type { MissingPages } from "../../markdown/links/page-links";

export const TRASH_ADDRESS = "/bin";

/** Two revisions that are compared. */
export interface Pair {
  from: number;
  to: number;
}

export interface TrashedPagePlace {
  id: string;
  /** null for the newest. */
  revision: number | null;
  /** The revisions that are compared, null for the newest change; undefined if the text is shown. */
  pair: Pair | null | undefined;
}

export function trashedPageUrl(id: string, { revision = null, pair }: Partial<Omit<TrashedPagePlace, "id">> = {}): string {
  const address = `${TRASH_ADDRESS}?page=${encodeURIComponent(id)}`;
  if (pair !== undefined) return `${address}&${historyQuery(pair)}`;
  return revision === null ? address : `${address}&rev=${revision}`;
}

export function historyQuery(pair: Pair | null): string {
  return `history${pair === null ? "" : `=${pair.from}..${pair.to}`}`;
}

/** The texts of links that lead to no page, and the addresses of pages in the trash. */
export function missingPages(unknownTitle: () => string): MissingPages {
  return {
    unknownTitle,
    deletedTitle: () => t("reading.link_deleted"),
    deletedMark: () => t("wiki.state_deleted"),
    trashedPageUrl: (id) => trashedPageUrl(id),
    topName: () => t("tree.top"),
  };
}
