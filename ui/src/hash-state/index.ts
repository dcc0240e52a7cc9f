// The presentation of file states, in the hash records and in the folders of pictures.
export { default as StateBadge } from "./StateBadge.svelte";
export { STATE_ICONS } from "./icons";
export { BY_SEVERITY, needsDecision, type StateTone, toneOf, troublesOf } from "./severity";
