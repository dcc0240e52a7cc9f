import { describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { combined, FLIP_ACROSS, FLIP_DOWN, isSideways, NO_TURN, reversed, TURN_LEFT, TURN_RIGHT, turnBetween, turnTransform, withTurn } from "./turns";

const ALL = [1, 2, 3, 4, 5, 6, 7, 8];
const UPRIGHT = { width: 3, height: 2 };

/** Returns the place of a pixel of a picture of 3 × 2 after a turn, by the numbers of the CSS matrix. */
function placeOf(turn: number, [x, y]: readonly [number, number], { width, height } = UPRIGHT): readonly [number, number] {
  const box = isSideways(turn) ? { width: height, height: width } : { width, height };
  const numbers = turnTransform(turn, box).match(/-?\d+/g)?.map(Number) ?? [1, 0, 0, 1, 0, 0];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  // The middle of the pixel, so that a reflected one has a whole number again.
  const at = [a * (x + 0.5) + c * (y + 0.5) + e - 0.5, b * (x + 0.5) + d * (y + 0.5) + f - 0.5] as const;
  return [at[0] + 0, at[1] + 0];
}

describe("a turn", () => {
  it.each([
    [TURN_RIGHT, [1, 0], [0, 2]],
    [TURN_LEFT, [0, 2], [1, 0]],
    [FLIP_ACROSS, [2, 0], [0, 1]],
    [FLIP_DOWN, [0, 1], [2, 0]],
    [3, [2, 1], [0, 0]],
    [5, [0, 0], [1, 2]],
    [7, [1, 2], [0, 0]],
  ] as const)("%i moves the corners of the picture", (turn, first, last) => {
    expect([placeOf(turn, [0, 0]), placeOf(turn, [2, 1])]).toEqual([first, last]);
  });

  it("follows another as its pixels do", () => {
    for (const one of ALL) {
      const after = isSideways(one) ? { width: 2, height: 3 } : UPRIGHT;
      for (const other of ALL) expect(placeOf(combined(one, other), [2, 0])).toEqual(placeOf(other, placeOf(one, [2, 0]), after));
      expect(combined(one, reversed(one))).toBe(NO_TURN);
    }
  });

  it("leads from the own orientation to another", () => {
    expect([turnBetween(6, null), turnBetween(6, 6), turnBetween(6, 3), turnBetween(1, 8)]).toEqual([NO_TURN, NO_TURN, TURN_RIGHT, TURN_LEFT]);
  });

  it("swaps the sides of an entry", () => {
    const entry: FolderEntry = { name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", width: 4, height: 3 };
    const right = withTurn(entry, TURN_RIGHT);
    expect([right.turn, right.width, right.height]).toEqual([TURN_RIGHT, 3, 4]);
    const half = withTurn(right, 3);
    expect([half.turn, half.width, half.height]).toEqual([3, 4, 3]);
    expect(withTurn(half, NO_TURN)).toEqual({ ...entry, turn: null });
    expect(withTurn(entry, NO_TURN)).toBe(entry);
  });
});
