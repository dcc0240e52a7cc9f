// The files of pages: the panel beside a page in the reading and editor views, and orphaned assets.
export { default as AssetsPanel } from "./AssetsPanel.svelte";
export { AssetsDoor, type FilesWish } from "./door.svelte";
export { default as FilesInBin } from "./FilesInBin.svelte";
export { default as LostFilesRoom } from "./LostFilesRoom.svelte";
