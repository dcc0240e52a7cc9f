// What a row of `Tree.svelte` is, and where the keys of a tree lead (WAI-ARIA Authoring Practices, "Tree View").

export interface TreeItem {
  id: string;
  label: string;
  /** 1 for the uppermost. */
  level: number;
  /** null: has nothing below. */
  expanded: boolean | null;
  position: number;
  siblings: number;
  /** Where the row leads; a row without an address only opens and closes. */
  href?: string;
  /** A small word at the end: a number, a state. */
  note?: string;
  faint?: boolean;
}

export type TreeMove = { to: number } | { toggle: number } | null;

/** What a key does when the focus is on row `at`. */
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

/** The next row whose label begins with what was typed, from the focus on and around. */
export function typeAhead(rows: readonly TreeItem[], at: number, typed: string): number | null {
  const wanted = typed.toLocaleLowerCase();
  // A second letter of the same word may still mean the row one is on.
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
