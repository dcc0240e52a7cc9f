// Export, import, backup and the mirror of the whole wiki, in the settings.
export { default as ArchiveSection } from "./ArchiveSection.svelte";
