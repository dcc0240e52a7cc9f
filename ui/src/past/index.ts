// The history of pages: their revisions, moving them, and the trash.
export { default as BinRoom } from "./BinRoom.svelte";
export { default as DeletedRoom } from "./DeletedRoom.svelte";
export { default as DeleteDialog } from "./DeleteDialog.svelte";
export { default as LinksDialog } from "./LinksDialog.svelte";
export { default as RenameDialog } from "./RenameDialog.svelte";
export { default as HistoryRoom } from "./HistoryRoom.svelte";
