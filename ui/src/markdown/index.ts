// What the rooms use of the Markdown pipeline.
export type { OutlineEntry } from "./context";
export { scrollToFragment } from "./fragments";
export { Enlivener, type LiveWords } from "./live/enlivener";
export type { PageLanguage } from "./language";
export { decodePath, editUrl, lineageOf, nameOfPage, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./page-path";
export { PageLinks } from "./page-links";
export { PageRenderer, type RenderedBlock, type RenderedPage, renderPage } from "./render";
export { ID_PREFIX } from "./sanitize";
export { setTask } from "./tasks";
export type { PageWords } from "./words";
