// The presentation of file states, in the hash records and in the folders of pictures.
export { default as StateBadge } from "./StateBadge.svelte";
export { LOOKS } from "./looks";
export { BY_SEVERITY, isToDecide, type StateTone, toneOf, troublesOf } from "./severity";
