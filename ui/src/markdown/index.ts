// The part of the Markdown pipeline that the views use.
export type { Omission } from "./rendering/bounds";
export { type OutlineEntry, titleOf } from "./rendering/context";
export { galleryFence } from "./gallery-options";
export { scrollToFragment } from "./rendering/fragments";
export { omissionText } from "./rendering/omissions";
export { LiveRenderer, type LiveWords, partsOf } from "./live/live-renderer";
export { PictureSpace } from "./live/picture-space";
export { sizeMemory } from "./live/size-memory";
export { detectLanguage, type PageLanguage } from "./language";
export { decodePath, editUrl, lineageOf, nameOfPage, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./links/page-path";
export { PageLinks } from "./links/page-links";
export { beginPage, type BegunPage, PageRenderer } from "./rendering/page-renderer";
export { addTo, Queue } from "./rendering/queue";
export type { RenderedBlock, RenderedPage, RenderedText } from "./rendering/render";
export { ID_PREFIX } from "./sanitizing/sanitize";
export { setTask } from "./tasks";
export { trustedHtml } from "./sanitizing/trusted-html";
export type { PageWords } from "./page-words";
