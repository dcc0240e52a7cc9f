// The link targets for the edited text: pages by the server's search, and the page's own files.
import type { Backend } from "../api/backend";
import { assetAddress } from "../editing/asset-link";
import { pageAddress } from "../editing/page-address";
import type { LinkTargets } from "./extensions/completion";

const MAX_TARGETS = 20;

export function linkTargetsFor({ pages, assets }: Pick<Backend, "pages" | "assets">, pageId: () => string): LinkTargets {
  return {
    pages: (query, signal) => pages.search(query, MAX_TARGETS, signal),
    files: (signal) => assets.list(pageId(), false, signal),
    fileAddress: assetAddress,
    pageAddress,
  };
}
