import { expect, it } from "vitest";
import type { KnownTag } from "../../api/backend";
import { similarTags, tagRows } from "./tag-rows";

const known = (...tags: string[]): KnownTag[] => tags.map((tag, index) => ({ tag, count: index + 1 }));
const none = new Set<string>();

it("tags are rows with their levels", () => {
  const rows = tagRows(known("Places/Norway/Oslo", "Sea", "Places/Japan"), "", none);
  const shown = rows.map(({ id, level, expanded, position, siblings, note }) => [id, level, expanded, `${position}/${siblings}`, note]);
  expect(shown).toEqual([
    ["Places", 1, true, "1/2", undefined],
    ["Places/Japan", 2, null, "1/2", "3"],
    ["Places/Norway", 2, true, "2/2", undefined],
    ["Places/Norway/Oslo", 3, null, "1/1", "1"],
    ["Sea", 1, null, "2/2", "2"],
  ]);
});

it("collapsed branches hide what is below", () => {
  const tags = known("a/b/c", "a/d", "e");
  expect(tagRows(tags, "", new Set(["a"])).map(({ id }) => id)).toEqual(["a", "e"]);
  // A search finds tags there, too.
  expect(tagRows(tags, "C", new Set(["a"])).map(({ id }) => id)).toEqual(["a", "a/b", "a/b/c"]);
});

it("tags that differ in case are similar", () => {
  const tags = known("sea", "Sea", "SEA", "Places/Oslo", "places/Oslo", "places/Bergen", "ａ", "a", "lake");
  expect(similarTags(tags)).toEqual([
    { main: "SEA", others: ["Sea", "sea"] },
    { main: "places", others: ["Places"] },
    { main: "a", others: ["ａ"] },
  ]);
});
