// The view of all pages.
export { default as PageListRoom } from "./PageListRoom.svelte";
