// The states of recorded files as they are shown: in the hash records and in the folders of pictures.
export { default as StateBadge } from "./StateBadge.svelte";
export { isToDecide, LOOKS, type StateTone } from "./looks";
