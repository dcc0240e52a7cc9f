import { expect, test } from "vitest";
import { type ListingQuery, dependsOnHeaders } from "./listing-query";

const byName: ListingQuery = { sort: "name", order: "asc" };

test("only dates of capture wait for the headers", () => {
  expect(dependsOnHeaders(byName)).toBe(false);
  expect(dependsOnHeaders({ ...byName, sort: "taken" })).toBe(true);
  expect(dependsOnHeaders({ ...byName, group: "day" })).toBe(true);
  expect(dependsOnHeaders({ ...byName, sort: "taken", group: "month" })).toBe(true);
  expect(dependsOnHeaders({ ...byName, sort: "modified", group: "day" })).toBe(false);
});

test("filters wait for the headers, whatever the grouping", () => {
  for (const choice of [{ rating: "3" }, { tag: "sea" }, { caption: "sea" }, { has_caption: "false" as const }, { taken_from: "2026-01-01" }, { taken_to: "2026-01-01" }]) {
    expect(dependsOnHeaders({ ...byName, sort: "modified", group: "day", ...choice })).toBe(true);
  }
  expect(dependsOnHeaders({ ...byName, type: "png", filter: "a" })).toBe(false);
});
