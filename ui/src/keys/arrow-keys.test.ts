import { describe, expect, it } from "vitest";
import { type Box, FIELD, resultInDirection } from "./arrow-keys";

/** Two rows of a list, a grid of three columns with five cells, and a row of a list. */
const BOXES: Box[] = [
  [0, 0],
  [0, 50],
  [0, 120],
  [110, 120],
  [220, 120],
  [0, 200],
  [110, 200],
  [0, 300],
].map(([left = 0, top = 0]) => ({ left, top, bottom: top + 40 }));

describe("resultInDirection", () => {
  it.each([
    ["ArrowDown", FIELD, 0],
    ["ArrowUp", 0, FIELD],
    ["ArrowDown", 0, 1],
    ["ArrowUp", 1, 0],
    ["ArrowRight", 0, null],
  ])("in a list %s moves %i to %s", (key, at, to) => expect(resultInDirection(key, at, BOXES)).toBe(to));

  it.each([
    ["ArrowDown", 1, 2],
    ["ArrowRight", 2, 3],
    ["ArrowLeft", 4, 3],
    ["ArrowRight", 4, null],
    ["ArrowDown", 3, 6],
    ["ArrowDown", 4, 6],
    ["ArrowUp", 6, 3],
    ["ArrowUp", 3, 1],
    ["ArrowDown", 6, 7],
    ["ArrowUp", 7, 5],
  ])("around a grid %s moves %i to %s", (key, at, to) => expect(resultInDirection(key, at, BOXES)).toBe(to));

  it("ends at the last result, or without results", () => {
    expect(resultInDirection("ArrowDown", BOXES.length - 1, BOXES)).toBeNull();
    expect(resultInDirection("ArrowDown", FIELD, [])).toBeNull();
    expect(resultInDirection("ArrowUp", FIELD, BOXES)).toBeNull();
    expect(resultInDirection("Enter", 1, BOXES)).toBeNull();
  });
});
