// Which place of the preview belongs to a line of the text: in proportion, within the block that the line is in.

/** A block as it stands on the screen: its lines, and where its box is in the scrolled contents. */
export interface PlacedBlock {
  line: number;
  end: number;
  top: number;
  height: number;
}

/** The offset of a line, which may be a fraction (2.5 is the middle of the third), in the preview's contents. */
export function offsetOfLine(blocks: readonly PlacedBlock[], line: number): number {
  const at = lastAtOrBefore(blocks, line);
  const block = blocks[at];
  if (block === undefined) return 0;
  const next = blocks[at + 1];
  const bottom = block.top + block.height;
  if (line < block.end) return block.top + block.height * share(line, block.line, block.end);
  // Between two blocks: the empty lines stand for the gap.
  return next === undefined ? bottom : bottom + (next.top - bottom) * share(line, block.end, next.line);
}

function share(value: number, from: number, to: number): number {
  return to <= from ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** Of sorted blocks, the last that begins at or before `line`; -1 if none does. */
function lastAtOrBefore(blocks: readonly PlacedBlock[], line: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.line ?? Infinity) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
