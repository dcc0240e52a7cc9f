// The reading view of pages.
export type { KnownPage, ShownPage } from "./reading.svelte";
export { default as WikiRoom } from "./WikiRoom.svelte";
