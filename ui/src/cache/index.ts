// The thumbnails that are kept, in the settings.
export { default as CachePart } from "./CachePart.svelte";
