// The files of pages: the panel beside a page in the reading and editor views, and orphaned assets.
export { default as AssetsPanel } from "./AssetsPanel.svelte";
export { PanelRequests, type PanelRequest } from "./panel-request.svelte";
export { default as TrashedFiles } from "./TrashedFiles.svelte";
export { default as OrphanedAssetsView } from "./OrphanedAssetsView.svelte";
