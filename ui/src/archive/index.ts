// Export, import and backup of the whole wiki, in the settings.
export { default as ArchiveSection } from "./ArchiveSection.svelte";
