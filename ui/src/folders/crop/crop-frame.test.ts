import { describe, expect, it } from "vitest";
import { isSameCrop } from "../entries/crops";
import { type CropFrame, cropOf, fitted, frameOf, isFilled, moved, resized, wholeFrame, withRatio } from "./crop-frame";

const picture = { width: 600, height: 400 };
const upright = { picture, angle: 0 };
const slanted = { picture, angle: 12 };

const edges = ({ x, y, width, height }: CropFrame) => [x - width / 2 + 300, y - height / 2 + 200, x + width / 2 + 300, y + height / 2 + 200].map(Math.round);

describe("the frame of a crop", () => {
  it("stays inside the picture while it moves", () => {
    const frame = { x: 0, y: 0, width: 200, height: 100 };
    expect(edges(moved(frame, { x: 50, y: -30 }, upright))).toEqual([250, 120, 450, 220]);
    expect(edges(moved(frame, { x: 999, y: -999 }, upright))).toEqual([400, 0, 600, 100]);
    expect(isFilled(moved(frame, { x: 999, y: -999 }, slanted), slanted)).toBe(true);
  });

  it("keeps the opposite side while it is resized", () => {
    const frame = { x: 0, y: 0, width: 200, height: 100 };
    expect(edges(resized(frame, { across: 1, down: 1 }, { x: 60, y: 40 }, null, upright))).toEqual([200, 150, 460, 290]);
    expect(edges(resized(frame, { across: -1, down: 0 }, { x: -60, y: 40 }, null, upright))).toEqual([140, 150, 400, 250]);
    expect(edges(resized(frame, { across: 1, down: 0 }, { x: 999, y: 0 }, null, upright))).toEqual([200, 150, 600, 250]);
    // Never to nothing.
    const smallest = resized(frame, { across: 1, down: 1 }, { x: -999, y: -999 }, null, upright);
    expect([smallest.width, smallest.height]).toEqual([16, 16]);
  });

  it("keeps its ratio while it is resized", () => {
    const frame = { x: 0, y: 0, width: 200, height: 100 };
    expect(edges(resized(frame, { across: 1, down: 1 }, { x: 100, y: 0 }, 2, upright))).toEqual([200, 150, 500, 300]);
    expect(edges(resized(frame, { across: 0, down: -1 }, { x: 0, y: -50 }, 2, upright))).toEqual([150, 100, 450, 250]);
    for (const underlay of [upright, slanted]) {
      const large = resized(frame, { across: -1, down: -1 }, { x: -999, y: -999 }, 2, underlay);
      expect(large.width / large.height).toBeCloseTo(2);
      expect(isFilled(large, underlay)).toBe(true);
    }
  });

  it("becomes as small as the rotated picture needs", () => {
    const whole = wholeFrame(picture);
    expect(isFilled(whole, slanted)).toBe(false);
    const frame = fitted(whole, slanted);
    expect(isFilled(frame, slanted)).toBe(true);
    expect(frame.width / frame.height).toBeCloseTo(1.5);
    expect(fitted(whole, upright)).toEqual(whole);
  });

  it("takes the largest part of a ratio", () => {
    expect(edges(withRatio(wholeFrame(picture), 1, upright))).toEqual([100, 0, 500, 400]);
    expect(edges(withRatio(wholeFrame(picture), 2, upright))).toEqual([0, 50, 600, 350]);
  });

  it("is the crop that it was opened with", () => {
    for (const angle of [0, 7.5, -30]) {
      const crop = { x: 0.45, y: 0.55, width: 0.4, height: 0.3, angle };
      const { frame, angle: rotation } = frameOf(crop, picture);
      expect(isSameCrop(cropOf(frame, { picture, angle: rotation }), crop)).toBe(true);
    }
  });
});
