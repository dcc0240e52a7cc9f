// Tags as a tree.
import { expect, it } from "vitest";
import { tagTree } from "./tag-tree";

it("levels above tags are rows", () => {
  const rows = tagTree([
    { tag: "sea", count: 5 },
    { tag: "Places/Norway/Oslo", count: 2 },
    { tag: "Places/Japan", count: 3 },
    { tag: "Places/Japan/Kyoto", count: 1 },
    { tag: "Places-old", count: 4 },
  ]);
  expect(rows.map(({ tag, depth, count }) => [tag, depth, count])).toEqual([
    ["Places", 0, null],
    ["Places/Japan", 1, 3],
    ["Places/Japan/Kyoto", 2, 1],
    ["Places/Norway", 1, null],
    ["Places/Norway/Oslo", 2, 2],
    ["Places-old", 0, 4],
    ["sea", 0, 5],
  ]);
  expect(rows.map(({ name }) => name)).toContain("Kyoto");
});
