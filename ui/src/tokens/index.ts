// The access tokens of other programs, in the settings.
export { default as TokensSection } from "./TokensSection.svelte";
