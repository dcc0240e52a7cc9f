// Hash records: the recorded facts of files, and the findings of verifications.
export { default as HashesView } from "./HashesView.svelte";
export { default as RecordedFoldersPanel } from "./recorded-folders/RecordedFoldersPanel.svelte";
