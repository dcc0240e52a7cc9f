import { expect, it } from "vitest";
import { nextGrouping, nextSort, type Grouping, GROUPINGS, SORTS } from "./order";

it("the last order is followed by the first", () => {
  const sorts = SORTS.map((sort) => nextSort({ sort, order: "desc" }));
  expect(sorts).toEqual([...SORTS.slice(1), "name"].map((sort) => ({ sort, order: "desc" })));
  const groupings = GROUPINGS.map((grouping) => nextGrouping(grouping));
  expect(groupings).toEqual([...GROUPINGS.slice(1), "none" satisfies Grouping]);
});
