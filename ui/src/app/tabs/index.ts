// The code of the window's tabs, fetched by the window only.
export { default as Panes } from "./Panes.svelte";
export { default as TabBar } from "./TabBar.svelte";
export { Workspace } from "./workspace.svelte";
