// The full-text search view, and its highlights in the page that is opened.
export { default as FoundBar } from "./FoundBar.svelte";
export { default as SearchRoom } from "./SearchRoom.svelte";
