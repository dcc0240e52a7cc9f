// The full-text search view, and its highlights in the page that is opened.
export { default as FindBar } from "./matches/FindBar.svelte";
export { default as MatchBar } from "./matches/MatchBar.svelte";
export { default as SearchView } from "./SearchView.svelte";
