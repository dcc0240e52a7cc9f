// Full-text search, as a view, and its highlights in the page that one opens.
export { default as FoundBar } from "./FoundBar.svelte";
export { default as SearchRoom } from "./SearchRoom.svelte";
