// The presentation of file states, in the hash records and in the folders of pictures.
export { FileStates } from "./file-states.svelte";
export { default as HashBadge } from "./HashBadge.svelte";
export { default as StateBadge } from "./StateBadge.svelte";
export { STATE_ICONS } from "./icons";
export { BY_SEVERITY, needsDecision, type StateTone, toneOf, troublesOf } from "./severity";
