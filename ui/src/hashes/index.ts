// Hash records: what was recorded of files, and what a verification finds.
export { default as HashesRoom } from "./HashesRoom.svelte";
