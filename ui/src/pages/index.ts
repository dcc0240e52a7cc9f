// The view of all pages.
export { default as PageListView } from "./PageListView.svelte";
