// The files of pages: beside a page, where it is read and where it is written; and those that have lost their pages.
export { default as AssetsPanel } from "./AssetsPanel.svelte";
export { AssetsDoor, type FilesWish } from "./door.svelte";
export { default as FilesInBin } from "./FilesInBin.svelte";
export { default as LostFilesRoom } from "./LostFilesRoom.svelte";
