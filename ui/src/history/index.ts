// The history of pages: their revisions, moving them, and the trash.
export { default as TrashView } from "./TrashView.svelte";
export { default as TrashedPageView } from "./TrashedPageView.svelte";
export { default as DeleteDialog } from "./DeleteDialog.svelte";
export { default as LinksDialog } from "./LinksDialog.svelte";
export { default as RenameDialog } from "./RenameDialog.svelte";
export { default as HistoryView } from "./HistoryView.svelte";
