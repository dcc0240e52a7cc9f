// The editor view, in which pages are written.
export { default as EditorRoom } from "./EditorRoom.svelte";
