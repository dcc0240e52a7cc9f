// The rows of `Tree.svelte`, and the keyboard navigation of a tree (WAI-ARIA Authoring Practices, "Tree View").

import type { Component } from "svelte";

export interface TreeItem {
  id: string;
  label: string;
  /** True if the label is a title, which is shortened at its end; otherwise it is a name of a file. */
  isTitle?: boolean;
  /** 1 for the top level. */
  level: number;
  /** null if there is nothing below. */
  expanded: boolean | null;
  position: number;
  siblings: number;
  /** The target of the row; a row without an address only expands and collapses. */
  href?: string;
  /** A small text after the label, which tells apart rows with the same one. */
  aside?: string;
  /** The text of the tooltip. */
  hint?: string;
  /** A small word at the end: a number, a state. */
  note?: string;
  /** An icon at the end, with its word for screen readers. */
  mark?: { icon: Component; tone: "good" | "warn" | "bad" | "plain"; label: string };
  faint?: boolean;
  /** True if the row can be dragged to another. */
  movable?: boolean;
}

/** Objects from elsewhere that rows accept. */
export interface TreeDrops {
  /** Returns the effect of a drop; null if the dragged data is not accepted. */
  effectOf: (event: DragEvent) => "move" | "copy" | null;
  ondrop: (id: string, data: DataTransfer, effect: "move" | "copy") => void;
}

export type TreeMove = { to: number } | { toggle: number } | null;

/** The effect of a key when the focus is on row `at`. */
export function treeMove(key: string, rows: readonly TreeItem[], at: number): TreeMove {
  const row = rows[at];
  if (!row) return null;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(rows.length - 1, at + 1) };
    case "ArrowUp":
      return { to: Math.max(0, at - 1) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
      if (row.expanded === false) return { toggle: at };
      return row.expanded ? { to: at + 1 } : null;
    case "ArrowLeft":
      if (row.expanded) return { toggle: at };
      return parentOf(rows, at);
    default:
      return null;
  }
}

/** The next row whose label starts with the typed text, from the focus on, wrapping around. */
export function typeAhead(rows: readonly TreeItem[], at: number, typed: string): number | null {
  const wanted = typed.toLocaleLowerCase();
  // A second letter of the same word may still mean the focused row.
  const start = typed.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length;
    if (rows[index]?.label.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return null;
}

function parentOf(rows: readonly TreeItem[], at: number): TreeMove {
  const level = rows[at]?.level ?? 1;
  for (let index = at - 1; index >= 0; index--) {
    if ((rows[index]?.level ?? 1) < level) return { to: index };
  }
  return null;
}
