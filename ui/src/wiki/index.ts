// The room where pages are read.
export { default as WikiRoom } from "./WikiRoom.svelte";
