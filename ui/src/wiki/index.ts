// The reading view of pages.
export type { PreloadedPage, DisplayedPage } from "./page-state.svelte";
export { default as WikiView } from "./WikiView.svelte";
