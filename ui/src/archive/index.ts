// Export, import and backup of the whole wiki, in the settings.
export { default as ArchivePart } from "./ArchivePart.svelte";
