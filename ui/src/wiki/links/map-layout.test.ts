import { describe, expect, it } from "vitest";
import { type Box, COLUMNS_FROM, layoutMap, type MapLayout, nextInDirection } from "./map-layout";

const SIZES = [148, 212, 319, 320, 440].flatMap((width) =>
  [0, 1, 2, 5, 12, 13, 25].flatMap((incoming) => [0, 1, 4, 25].map((outgoing) => ({ width, incoming, outgoing }))),
);

function boxesOf({ page, incoming, outgoing }: MapLayout): Box[] {
  const sides = [incoming, outgoing].flatMap((side) => (side === null ? [] : [side.heading, ...side.rows.map(({ box }) => box)]));
  return [page, ...sides];
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe("layoutMap", () => {
  it.each(SIZES)("keeps everything apart and inside: %j", ({ width, ...counts }) => {
    const layout = layoutMap(width, counts);
    const boxes = boxesOf(layout);
    for (const [index, box] of boxes.entries()) {
      expect(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= layout.height).toBe(true);
      expect(boxes.slice(index + 1).filter((other) => overlap(box, other))).toEqual([]);
    }
  });

  it("places sides left and right if they fit", () => {
    const { form, page, incoming, outgoing } = layoutMap(COLUMNS_FROM, { incoming: 3, outgoing: 2 });
    expect(form).toBe("columns");
    const middle = COLUMNS_FROM / 2;
    expect(incoming?.rows.every(({ box, side }) => box.x + box.width < middle && side === -1)).toBe(true);
    expect(outgoing?.rows.every(({ box, side }) => box.x > middle && side === 1)).toBe(true);
    expect(incoming?.rows.map(({ box }) => box.y < page.y)).toEqual([true, true, false]);
  });

  it.each([
    [COLUMNS_FROM - 1, 3, 2],
    [480, 0, 2],
    [480, 2, 0],
  ])("stacks at %i wide, %i in, %i out", (width, incoming, outgoing) => {
    const layout = layoutMap(width, { incoming, outgoing });
    expect(layout.form).toBe("stack");
    expect(layout.incoming?.rows.every(({ box }) => box.y < layout.page.y) ?? true).toBe(true);
    expect(layout.outgoing?.rows.every(({ box }) => box.y > layout.page.y) ?? true).toBe(true);
  });

  it("draws each line from label to page", () => {
    const { page, incoming } = layoutMap(200, { incoming: 1, outgoing: 0 });
    const row = incoming?.rows[0];
    expect(row?.edge.startsWith(`M${row.end.x} ${row.end.y}H`)).toBe(true);
    expect(row?.edge.endsWith(`V${page.y}`)).toBe(true);
  });
});

describe("nextInDirection", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 });
  const boxes = [box(0, 0), box(0, 20), box(50, 5), box(50, 30)];

  it.each([
    [0, "ArrowDown", 1],
    [1, "ArrowUp", 0],
    [0, "ArrowUp", null],
    [0, "ArrowRight", 2],
    [1, "ArrowRight", 3],
    [3, "ArrowLeft", 1],
    [2, "ArrowRight", null],
    [-1, "ArrowDown", null],
  ] as const)("from %i by %s is %s", (from, key, to) => {
    expect(nextInDirection(boxes, from, key)).toBe(to);
  });
});
