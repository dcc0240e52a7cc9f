// The list of signed-in browsers, in the settings.
export { default as SessionsSection } from "./SessionsSection.svelte";
