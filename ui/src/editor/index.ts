// The room where pages are written.
export { default as EditorRoom } from "./EditorRoom.svelte";
