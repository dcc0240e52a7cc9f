// The suggestions for the edited text: pages by the server's search, their headings, the page's own files, tags, and the
// kinds of callouts.
import type { Backend } from "../api/backend";
import { assetAddress } from "../editing/files/asset-link";
import { pageAddress } from "../editing/addresses/page-address";
import type { Translate } from "../i18n";
import { CALLOUT_KINDS, calloutTitle, outlineOf } from "../markdown";
import type { LinkTargets } from "./extensions/links/completion";

const MAX_TARGETS = 20;

export function linkTargetsFor({ pages, assets, search }: Pick<Backend, "pages" | "assets" | "search">, pageId: () => string, t: Translate): LinkTargets {
  return {
    pages: (query, signal) => pages.search(query, MAX_TARGETS, signal),
    headings: async (path, text, signal) => {
      if (path === "") return outlineOf(text());
      const { id } = await pages.resolve(path, signal);
      return outlineOf((await pages.source(id, null, signal)).text);
    },
    files: (signal) => assets.list(pageId(), false, signal),
    tags: (signal) => search.tags(signal),
    callouts: () => CALLOUT_KINDS.map((kind) => ({ kind, title: calloutTitle(t, kind) })),
    fileAddress: assetAddress,
    pageAddress,
  };
}
