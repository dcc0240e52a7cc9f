// The small parts that every room is made of.
export { default as Button } from "./Button.svelte";
export { default as ChoiceField } from "./ChoiceField.svelte";
export { default as Dialog } from "./Dialog.svelte";
export { default as EmptyState } from "./EmptyState.svelte";
export { default as ErrorState } from "./ErrorState.svelte";
export { default as IconButton } from "./IconButton.svelte";
export { default as Kbd } from "./Kbd.svelte";
export { default as Menu } from "./Menu.svelte";
export { default as PanelHeading } from "./PanelHeading.svelte";
export { default as Skeleton } from "./Skeleton.svelte";
export { default as SplitHandle } from "./SplitHandle.svelte";
export { default as TextField } from "./TextField.svelte";
export { default as Tree } from "./Tree.svelte";
export { handOn, keepFocus } from "./keep-focus";
export { tooltip } from "./tooltip";
export { RowCursor } from "./row-cursor";
export type { TreeItem } from "./tree";
