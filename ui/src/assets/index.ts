// The files of a page, beside it: in the room where it is read and in the one where it is written.
export { default as AssetsPanel } from "./AssetsPanel.svelte";
export { AssetsDoor } from "./door.svelte";
