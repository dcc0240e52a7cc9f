// The columns and the actions of the rows of a list.
import type { Component, Snippet } from "svelte";

export interface Column<Item> {
  id: string;
  /** The content, or `text` for plain text. */
  cell?: Snippet<[item: Item]>;
  /** Plain text, to which the title is added for screen readers. */
  text?: (item: Item) => string;
  /** The heading. A list in which a column has one is a table: its columns have fixed widths. */
  title?: string;
  /** The width in a table: the rest of the row by default. */
  width?: string;
  /** Hidden in a narrow list. */
  isSecondary?: boolean;
}

export interface RowAction<Item> {
  id: string;
  label: string;
  /** The accessible name of the button; the label by default. */
  name?: (item: Item) => string;
  /** Runs the action on the row with the focus. */
  key?: string;
  run: (item: Item) => unknown;
  /** Without it, the action has a key only. */
  button?: {
    testId: string;
    icon?: Component;
    /** True if the label is only in the tooltip. */
    isIcon?: boolean;
    isQuiet?: boolean;
    /** True if this button has the focus of its row. */
    isMain?: boolean;
    isDisabled?: boolean;
  };
  /** The rows that have the action; all by default. */
  isFor?: (item: Item) => boolean;
}

/** A row that is a link or a button as a whole. */
export type RowTarget = { href: string } | { onopen: () => void };
