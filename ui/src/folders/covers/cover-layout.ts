// The places of a folder's covers in its tile: whole pictures in rows, as large as they can be.

/** The place of a picture, in parts of the side of a square. */
export interface CoverBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The space between two pictures. */
const SPACE = 0.03;
/** Panoramas are laid out as if they were this wide or high, so that the others stay visible. */
const WIDEST = 2.5;
/** The shape of a picture whose size is unknown. */
const UNKNOWN = 1.5;

type Sized = { width?: number | null | undefined; height?: number | null | undefined };

/** Returns the places of up to four pictures. Of all ways to put them into rows, the one whose smallest picture is largest. */
export function coverLayout(pictures: readonly Sized[]): CoverBox[] {
  const shapes = pictures.map(shapeOf);
  let best: CoverBox[] = [];
  for (const rows of rowsOf(shapes)) {
    const boxes = placed(rows);
    if (smallest(boxes) > smallest(best)) best = boxes;
  }
  return best;
}

function shapeOf({ width, height }: Sized): number {
  if (!width || !height) return UNKNOWN;
  return Math.min(WIDEST, Math.max(1 / WIDEST, width / height));
}

/** Returns all ways to put pictures into rows, in their order. */
function rowsOf(shapes: readonly number[]): number[][][] {
  if (shapes.length === 0) return [[]];
  return shapes.flatMap((_, at) => rowsOf(shapes.slice(at + 1)).map((rest) => [shapes.slice(0, at + 1), ...rest]));
}

/** Fills the width with each row, and makes all of them smaller if they are too high together. */
function placed(rows: readonly number[][]): CoverBox[] {
  const heights = rows.map((row) => (1 - SPACE * (row.length - 1)) / row.reduce((sum, shape) => sum + shape, 0));
  const room = 1 - SPACE * (rows.length - 1);
  const high = heights.reduce((sum, height) => sum + height, 0);
  const scale = Math.min(1, room / high);
  let top = (room - high * scale) / 2;
  return rows.flatMap((row, at) => {
    const height = (heights[at] ?? 0) * scale;
    const width = row.reduce((sum, shape) => sum + shape * height, SPACE * (row.length - 1));
    let left = (1 - width) / 2;
    const boxes = row.map((shape) => {
      const box = { left, top, width: shape * height, height };
      left += box.width + SPACE;
      return box;
    });
    top += height + SPACE;
    return boxes;
  });
}

function smallest(boxes: readonly CoverBox[]): number {
  return Math.min(...boxes.map(({ width, height }) => width * height), boxes.length === 0 ? 0 : Infinity);
}
