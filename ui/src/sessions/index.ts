// The list of signed-in browsers, in the settings.
export { default as SessionsPart } from "./SessionsPart.svelte";
