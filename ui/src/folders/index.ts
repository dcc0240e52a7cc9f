// The picture folders: the room, and the tree beside it.
export { default as FolderRoom } from "./FolderRoom.svelte";
export { default as FolderTree } from "./FolderTree.svelte";
