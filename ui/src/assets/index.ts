// The files of pages: the panel beside a page in the reading and editor views.
export { default as AssetsPanel } from "./AssetsPanel.svelte";
export { PanelRequests, type PanelRequest } from "./panel-request.svelte";
export { default as TrashedFiles } from "./TrashedFiles.svelte";
export { saveCopy } from "./save-copy";
