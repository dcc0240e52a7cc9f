// Arrow-key navigation among results, some of which are in a grid.

export type Box = Pick<DOMRectReadOnly, "left" | "top" | "bottom">;

/** The field above the results. */
export const FIELD = -1;

/** Boxes are in one row if their tops differ by less than this. In pixels. */
const SLACK = 2;

/** The index of the result, or `FIELD`, that a key moves to from there; null if it does not move. */
export function resultInDirection(key: string, at: number, boxes: readonly Box[]): number | null {
  const from = boxes[at];
  if (from === undefined) return key === "ArrowDown" && boxes.length > 0 ? 0 : null;
  switch (key) {
    case "ArrowDown":
      return nearest(boxes, from, (box, index) => index > at && box.top >= from.bottom - SLACK, (a, b) => a.top - b.top);
    case "ArrowUp":
      return nearest(boxes, from, (box, index) => index < at && box.bottom <= from.top + SLACK, (a, b) => b.top - a.top) ?? FIELD;
    case "ArrowRight":
      return sameRow(boxes, from, at + 1);
    case "ArrowLeft":
      return sameRow(boxes, from, at - 1);
    default:
      return null;
  }
}

type Compare = (a: Box, b: Box) => number;

/** The box in the nearest row whose start is closest to the current one. */
function nearest(boxes: readonly Box[], from: Box, isBehind: (box: Box, index: number) => boolean, byRow: Compare): number | null {
  const behind = boxes.flatMap((box, index) => (isBehind(box, index) ? [{ box, index, aside: Math.abs(box.left - from.left) }] : []));
  const [first] = [...behind].sort((a, b) => byRow(a.box, b.box));
  if (first === undefined) return null;
  const row = behind.filter(({ box }) => Math.abs(box.top - first.box.top) < SLACK);
  return row.reduce((best, one) => (one.aside < best.aside ? one : best)).index;
}

function sameRow(boxes: readonly Box[], from: Box, to: number): number | null {
  const box = boxes[to];
  return box !== undefined && Math.abs(box.top - from.top) < SLACK ? to : null;
}
