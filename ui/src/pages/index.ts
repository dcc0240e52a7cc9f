// The list of all pages, as a room.
export { default as PageListRoom } from "./PageListRoom.svelte";
