import { describe, expect, it } from "vitest";
import { hashBytes, isSideways, shapeOf, turnOf } from "./placeholder";

/** Applies a CSS transform of these functions to a point, with y downwards. */
function placed(transform: string, [x, y]: [number, number]): [number, number] {
  const steps = transform === "none" ? [] : transform.split(" ").reverse();
  let point: [number, number] = [x, y];
  for (const step of steps) {
    const [px, py] = point;
    const degrees = /^rotate\((\d+)deg\)$/.exec(step)?.[1];
    if (step === "scaleX(-1)") point = [-px, py];
    else if (step === "scaleY(-1)") point = [px, -py];
    else {
      const angle = (Number(degrees) * Math.PI) / 180;
      const [cos, sin] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
      point = [px * cos - py * sin, px * sin + py * cos];
    }
  }
  return [point[0] + 0, point[1] + 0];
}

describe("a stored picture", () => {
  // By EXIF: the sides of the displayed picture that the stored picture's first row (up) and first column (left) form.
  const sides = { top: [0, -1], bottom: [0, 1], left: [-1, 0], right: [1, 0] } as const;
  it.each([
    [1, "top", "left"],
    [2, "top", "right"],
    [3, "bottom", "right"],
    [4, "bottom", "left"],
    [5, "left", "top"],
    [6, "right", "top"],
    [7, "right", "bottom"],
    [8, "left", "bottom"],
  ] as const)("orientation %i: first row %s, first column %s", (orientation, row, column) => {
    expect(placed(turnOf(orientation), [0, -1])).toEqual(sides[row]);
    expect(placed(turnOf(orientation), [-1, 0])).toEqual(sides[column]);
    expect(isSideways(orientation)).toBe(row === "left" || row === "right");
  });

  it("without an orientation is upright", () => {
    for (const none of [undefined, 0, 9]) expect(turnOf(none)).toBe("none");
    expect(isSideways(undefined)).toBe(false);
  });
});

it("has the picture's shape and is no larger", () => {
  expect(shapeOf({ width: 4000, height: 3000 })).toEqual({ width: "min(100%, 4000px)", aspectRatio: "4000 / 3000" });
  expect(shapeOf({ width: 30, height: 60 })).toEqual({ width: "min(50%, 30px)", aspectRatio: "30 / 60" });
  expect(shapeOf({})).toBeNull();
});

it("is decoded from the server's bytes", () => {
  expect(hashBytes("AQID")).toEqual(new Uint8Array([1, 2, 3]));
  expect(hashBytes("?")).toBeNull();
});
