// The browsers that are signed in, in the settings.
export { default as SessionsPart } from "./SessionsPart.svelte";
