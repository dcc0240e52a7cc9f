// The room where pages are read.
export type { KnownPage, ShownPage } from "./reading.svelte";
export { default as WikiRoom } from "./WikiRoom.svelte";
