// What the rooms use of the Markdown pipeline. `page-renderer.ts` is not among it: the editor alone needs it, and it is
// fetched with the editor.
export type { OutlineEntry } from "./context";
export { scrollToFragment } from "./fragments";
export { Enlivener, type LiveWords } from "./live/enlivener";
export { detectLanguage, type PageLanguage } from "./language";
export { decodePath, editUrl, lineageOf, nameOfPage, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./page-path";
export { PageLinks } from "./page-links";
export { type RenderedBlock, type RenderedPage, type RenderedText, renderPage } from "./render";
export { ID_PREFIX } from "./sanitize";
export { setTask } from "./tasks";
export type { PageWords } from "./words";
