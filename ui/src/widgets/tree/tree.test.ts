import { describe, expect, it } from "vitest";
import { type TreeItem, treeMove, typeAhead } from "./tree";

const row = (id: string, level: number, expanded: boolean | null): TreeItem => ({
  id,
  label: id,
  level,
  expanded,
  position: 1,
  siblings: 1,
});
const rows = [row("a", 1, true), row("b", 2, null), row("c", 2, false), row("ab", 1, null)];

describe("the keys of a tree", () => {
  it.each([
    ["ArrowDown", 0, { to: 1 }],
    ["ArrowDown", 3, { to: 3 }],
    ["ArrowUp", 0, { to: 0 }],
    ["Home", 2, { to: 0 }],
    ["End", 0, { to: 3 }],
    ["ArrowRight", 0, { to: 1 }],
    ["ArrowRight", 2, { toggle: 2 }],
    ["ArrowRight", 1, null],
    ["ArrowLeft", 0, { toggle: 0 }],
    ["ArrowLeft", 2, { to: 0 }],
    ["ArrowLeft", 3, null],
    ["x", 0, null],
  ])("%s on row %i", (key, at, expected) => {
    expect(treeMove(key, rows, at)).toEqual(expected);
  });
});

it("letters move to the next row, words directly", () => {
  expect(typeAhead(rows, 0, "a")).toBe(3);
  expect(typeAhead(rows, 3, "a")).toBe(0);
  expect(typeAhead(rows, 3, "ab")).toBe(3);
  expect(typeAhead(rows, 0, "z")).toBeNull();
});
