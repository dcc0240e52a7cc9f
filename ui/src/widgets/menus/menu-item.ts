// An item of a menu.
import type { Component } from "svelte";

export interface MenuItem {
  id: string;
  label: string;
  keys?: string | undefined;
  icon?: Component<{ size?: number; strokeWidth?: number }> | undefined;
  disabled?: boolean | undefined;
  /** Set for the items of a choice; true for the chosen one. */
  checked?: boolean | undefined;
  /** True for an item that is checked by itself, not in place of another one. The menu stays open. */
  isToggle?: boolean | undefined;
  testId?: string | undefined;
  /** Items of another group follow a line. */
  group?: number | undefined;
  run: () => void;
}
