// The geometry of the link map, in CSS pixels: the page in the middle, a column of neighbours on each side of it. If
// there is no room for two columns, or only one side has neighbours, the sides are above and below the page.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface MapRow {
  /** The place of its label. */
  box: Box;
  /** The line between label and page, as the `d` of an SVG path. */
  edge: string;
  /** The end of the line at the label, where the arrowheads are. */
  end: { x: number; y: number };
  /** 1 if the label is right of the line, -1 if it is left of it. */
  side: 1 | -1;
}

export interface MapSide {
  heading: Box;
  rows: MapRow[];
}

export interface MapLayout {
  form: "columns" | "stack";
  height: number;
  /** The place of the page in the middle. */
  page: Box;
  incoming: MapSide | null;
  outgoing: MapSide | null;
}

export interface MapCounts {
  incoming: number;
  outgoing: number;
}

/** The least width for two columns. */
export const COLUMNS_FROM = 320;
/** The distance from one label to the next. */
const PITCH = 28;
const GAP = 4;
const HEADING = 22;
const PAGE = 32;
/** The distance between the page and the rows next to it. */
const CLEARANCE = 8;
/** The distance from a label to the line that leads to the page. */
const BRANCH = 26;
const LABEL_GAP = 4;
const RADIUS = 8;
/** The distance from the middle to each of the two lines that meet the page. */
const TRUNK = 7;
const STACK_TRUNK = 10;

export function layoutMap(width: number, counts: MapCounts): MapLayout {
  const isWide = width >= COLUMNS_FROM && counts.incoming > 0 && counts.outgoing > 0;
  return isWide ? columns(width, counts) : stack(width, counts);
}

function columns(width: number, { incoming, outgoing }: MapCounts): MapLayout {
  const above = Math.ceil(Math.max(incoming, outgoing) / 2);
  const below = Math.floor(Math.max(incoming, outgoing) / 2);
  const page = { x: 0, y: HEADING + above * PITCH + CLEARANCE, width, height: PAGE };
  const labels = Math.floor(width / 2) - TRUNK - BRANCH - LABEL_GAP;

  const sideOf = (count: number, side: 1 | -1): MapSide => {
    const over = Math.ceil(count / 2);
    const top = page.y - CLEARANCE - over * PITCH;
    const x = side === 1 ? width - labels : 0;
    const trunk = width / 2 + side * TRUNK;
    const rows = Array.from({ length: count }, (_, index) => {
      const y = index < over ? top + index * PITCH : page.y + PAGE + CLEARANCE + (index - over) * PITCH;
      return rowAt({ x, y: y + GAP / 2, width: labels, height: PITCH - GAP }, side, trunk, page);
    });
    return { heading: { x, y: top - HEADING, width: labels, height: HEADING }, rows };
  };

  const height = page.y + PAGE + (below > 0 ? CLEARANCE + below * PITCH : 0);
  return { form: "columns", height, page, incoming: sideOf(incoming, -1), outgoing: sideOf(outgoing, 1) };
}

function stack(width: number, { incoming, outgoing }: MapCounts): MapLayout {
  const x = STACK_TRUNK + BRANCH + LABEL_GAP;
  const heightOf = (count: number) => (count === 0 ? 0 : HEADING + count * PITCH + CLEARANCE);
  const page = { x: 0, y: heightOf(incoming), width, height: PAGE };

  const sideFrom = (count: number, top: number): MapSide | null => {
    if (count === 0) return null;
    const rows = Array.from({ length: count }, (_, index) => {
      const y = top + HEADING + index * PITCH + GAP / 2;
      return rowAt({ x, y, width: width - x, height: PITCH - GAP }, 1, STACK_TRUNK, page);
    });
    return { heading: { x, y: top, width: width - x, height: HEADING }, rows };
  };

  const below = page.y + PAGE;
  const height = below + heightOf(outgoing);
  return { form: "stack", height, page, incoming: sideFrom(incoming, 0), outgoing: sideFrom(outgoing, below + CLEARANCE) };
}

/** A branch from the label, bent into a line that leads up or down to the page. */
function rowAt(box: Box, side: 1 | -1, trunk: number, page: Box): MapRow {
  const end = { x: side === 1 ? box.x - LABEL_GAP : box.x + box.width + LABEL_GAP, y: box.y + box.height / 2 };
  const isAbove = end.y < page.y;
  const bend = trunk + side * RADIUS;
  const turned = end.y + (isAbove ? RADIUS : -RADIUS);
  const edge = `M${end.x} ${end.y}H${bend}Q${trunk} ${end.y} ${trunk} ${turned}V${isAbove ? page.y : page.y + page.height}`;
  return { box, edge, end, side };
}

export type ArrowKey = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

export function isArrowKey(key: string): key is ArrowKey {
  return key === "ArrowUp" || key === "ArrowDown" || key === "ArrowLeft" || key === "ArrowRight";
}

/** The index of the nearest box in that direction: in the same column, or in the other one at about the same height. */
export function nextInDirection(boxes: readonly Box[], from: number, key: ArrowKey): number | null {
  const start = boxes[from];
  if (start === undefined) return null;
  const distances = boxes.map((box) => distanceTo(box, start, key));
  const nearest = Math.min(...distances.filter((distance) => distance > 0));
  return Number.isFinite(nearest) ? distances.indexOf(nearest) : null;
}

/** Not above zero if the box is not in that direction. */
function distanceTo(box: Box, start: Box, key: ArrowKey): number {
  const isSameColumn = box.x === start.x;
  switch (key) {
    case "ArrowUp":
      return isSameColumn ? start.y - box.y : 0;
    case "ArrowDown":
      return isSameColumn ? box.y - start.y : 0;
    case "ArrowLeft":
      return box.x < start.x ? Math.abs(box.y - start.y) + 1 : 0;
    case "ArrowRight":
      return box.x > start.x ? Math.abs(box.y - start.y) + 1 : 0;
  }
}
