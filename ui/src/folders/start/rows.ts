// Pictures side by side in rows.

/** Returns how many of the first items fit into rows of a width; at least one in each row. */
export function countInRows(items: readonly { width: number }[], { available, gap, rows }: { available: number; gap: number; rows: number }): number {
  let [row, filled] = [0, 0];
  for (const [index, { width }] of items.entries()) {
    if (filled > 0 && filled + gap + width > available) {
      row += 1;
      filled = 0;
    }
    if (row === rows) return index;
    filled += filled > 0 ? gap + width : width;
  }
  return items.length;
}
