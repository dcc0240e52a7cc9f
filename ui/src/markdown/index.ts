// The part of the Markdown pipeline that the views use.
export type { Omission } from "./bounds";
export { type OutlineEntry, titleOf } from "./context";
export { galleryFence } from "./gallery-options";
export { scrollToFragment } from "./fragments";
export { omissionText } from "./omissions";
export { LiveRenderer, type LiveWords, partsOf } from "./live/live-renderer";
export { PictureSpace } from "./live/picture-space";
export { sizeMemory } from "./live/size-memory";
export { detectLanguage, type PageLanguage } from "./language";
export { decodePath, editUrl, lineageOf, nameOfPage, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./page-path";
export { PageLinks } from "./page-links";
export { beginPage, type BegunPage, PageRenderer } from "./page-renderer";
export { addTo, Queue } from "./queue";
export type { RenderedBlock, RenderedPage, RenderedText } from "./render";
export { ID_PREFIX } from "./sanitize";
export { setTask } from "./tasks";
export { trustedHtml } from "./trusted-html";
export type { PageWords } from "./page-words";
