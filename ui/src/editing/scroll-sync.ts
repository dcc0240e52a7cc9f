// Maps lines of a text to offsets in the rendered page and back: in proportion, within the block that contains the
// line.

/** A block on the screen: its lines, and the position of its box in the scrolled contents. */
export interface PlacedBlock {
  line: number;
  end: number;
  top: number;
  height: number;
}

/** The offset of a line, which may be a fraction (2.5 is the middle of the third), in the preview's contents. */
export function offsetOfLine(blocks: readonly PlacedBlock[], line: number): number {
  const at = lastIndexWhere(blocks, (block) => block.line <= line);
  const block = blocks[at];
  if (block === undefined) return 0;
  const next = blocks[at + 1];
  const bottom = block.top + block.height;
  if (line < block.end) return block.top + block.height * share(line, block.line, block.end);
  // Between two blocks: the empty lines map to the gap.
  return next === undefined ? bottom : bottom + (next.top - bottom) * share(line, block.end, next.line);
}

/** The line, which may be a fraction, at an offset in the contents; 0 above the first block. */
export function lineAtOffset(blocks: readonly PlacedBlock[], offset: number): number {
  const at = lastIndexWhere(blocks, ({ top }) => top <= offset);
  const block = blocks[at];
  if (block === undefined) return 0;
  const next = blocks[at + 1];
  const bottom = block.top + block.height;
  if (offset < bottom) return block.line + (block.end - block.line) * share(offset, block.top, bottom);
  return next === undefined ? block.end : block.end + (next.line - block.end) * share(offset, bottom, next.top);
}

function share(value: number, from: number, to: number): number {
  return to <= from ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** The index of the last of the sorted blocks for which `isBefore` is true; -1 if there is none. */
function lastIndexWhere(blocks: readonly PlacedBlock[], isBefore: (block: PlacedBlock) => boolean): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const block = blocks[middle];
    if (block !== undefined && isBefore(block)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
