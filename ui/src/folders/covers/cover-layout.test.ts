import { describe, expect, it } from "vitest";
import { type CoverBox, coverLayout } from "./cover-layout";

const WIDE = { width: 3000, height: 2000 };
const UPRIGHT = { width: 2000, height: 3000 };
const PANORAMA = { width: 20_000, height: 1000 };

const rows = (boxes: readonly CoverBox[]) => [...new Set(boxes.map(({ top }) => top))].map((top) => boxes.filter((box) => box.top === top).length);

describe("the places of covers", () => {
  it.each([
    ["none", [], []],
    ["one", [WIDE], [1]],
    ["two wide ones", [WIDE, WIDE], [1, 1]],
    ["two upright ones", [UPRIGHT, UPRIGHT], [2]],
    ["three wide ones", [WIDE, WIDE, WIDE], [1, 2]],
    ["four wide ones", [WIDE, WIDE, WIDE, WIDE], [2, 2]],
    ["four upright ones", [UPRIGHT, UPRIGHT, UPRIGHT, UPRIGHT], [2, 2]],
    ["four of both", [WIDE, UPRIGHT, UPRIGHT, WIDE], [2, 2]],
  ])("%s", (_what, pictures, expected) => {
    const boxes = coverLayout(pictures);
    expect(rows(boxes)).toEqual(expected);
    for (const [at, { left, top, width, height }] of boxes.entries()) {
      const shape = (pictures[at]?.width ?? 0) / (pictures[at]?.height ?? 1);
      expect(width / height).toBeCloseTo(shape);
      expect(Math.min(left, top)).toBeGreaterThan(-1e-9);
      expect(Math.max(left + width, top + height)).toBeLessThan(1 + 1e-9);
    }
  });

  it("leaves room beside a panorama", () => {
    const [panorama, other] = coverLayout([PANORAMA, WIDE]);
    expect(panorama?.width).toBeGreaterThan(0.9);
    expect(other?.height).toBeGreaterThan(0.5);
  });

  it("has room for a picture of unknown size", () => {
    expect(coverLayout([{}])).toEqual(coverLayout([WIDE]));
  });
});
