import { describe, expect, it } from "vitest";
import type { FolderGroup } from "../../api/backend";
import { groupCount } from "./group-count";

describe("a group counts", () => {
  const unnamed: FolderGroup = { key: null, first: 0, count: 2 };
  const day: FolderGroup = { key: "2026-11-20", first: 2, count: 5 };
  const query = { sort: "name", order: "asc", group: "day" } as const;
  const groups = [unnamed, day];

  it.each([
    ["pictures, where all of its folder but the folders are", day, { query, groups, total: 7, nameMatches: 5 }, "5 pictures"],
    ["items, where other files are among them", day, { query, groups, total: 7, nameMatches: 4 }, "5 items"],
    ["items, where they are folders", unnamed, { query, groups, total: 7, nameMatches: 5 }, "2 items"],
    ["pictures, where no others are let through", unnamed, { query: { ...query, tag: "a" }, groups, total: 7, nameMatches: 20 }, "2 pictures"],
    ["pictures, of which there is one", { ...day, count: 1 }, { query, groups: [day], total: 1, nameMatches: 1 }, "1 picture"],
  ])("%s", (_what, group, whole, expected) => {
    expect(groupCount(group, whole)).toBe(expected);
  });
});
