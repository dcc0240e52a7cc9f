// The past of pages: their revisions, moving them, and the bin.
export { default as HistoryRoom } from "./HistoryRoom.svelte";
