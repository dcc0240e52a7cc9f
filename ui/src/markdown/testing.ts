// Helpers for the tests of the Markdown rules.
import type { CalloutKind } from "./callout-kinds";
import type { Omission } from "./rendering/bounds";
import type { MissingPages } from "./links/page-links";
import { renderPage } from "./rendering/page-renderer";

export const WORDS = { remotePicture: "Not loaded", openPicture: "Open", unknownPicture: "No picture", callout: (kind: CalloutKind) => `title of ${kind}`, leftOut: ({ kind }: Omission) => `left out: ${kind}` };

/** Renders a page to clean HTML. */
export function html(source: string, path = "/旅/京都"): string {
  return renderPage(source, path, WORDS)
    .blocks.map((block) => block.html)
    .join("")
    .trim();
}

/** Renders a page to elements. */
export function dom(source: string, path?: string): HTMLElement {
  const box = document.createElement("div");
  box.innerHTML = html(source, path);
  return box;
}

/** The titles of links that lead to no page. */
export const MISSING: MissingPages = {
  unknownTitle: () => "not written yet",
  deletedTitle: () => "in the trash",
  deletedMark: () => "trash",
  trashedPageUrl: (id) => `/bin?page=${id}`,
  topName: () => "Top page",
};
