// The history of pages: their revisions, moving them, and the trash.
export { default as TrashView } from "./trash/TrashView.svelte";
export { default as TrashedPageView } from "./trash/TrashedPageView.svelte";
export { default as DeleteDialog } from "./trash/DeleteDialog.svelte";
export { default as LinksDialog } from "./moving/LinksDialog.svelte";
export { default as MergeDialog } from "./moving/MergeDialog.svelte";
export { default as RenameDialog } from "./moving/RenameDialog.svelte";
export { default as HistoryView } from "./HistoryView.svelte";
