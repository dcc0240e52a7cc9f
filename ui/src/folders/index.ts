// The picture folders: the view, and the tree beside it.
export { default as PicturesView } from "./PicturesView.svelte";
export { default as FolderTree } from "./tree/FolderTree.svelte";
