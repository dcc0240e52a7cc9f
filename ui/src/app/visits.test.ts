import { describe, expect, it } from "vitest";
import { recentPages, Visits } from "./visits";

describe("visits", () => {
  it("are kept once each, the latest first, and not without end", () => {
    const visits = new Visits();
    for (let index = 0; index < 40; index++) visits.note(`/${index}`);
    visits.note("/20");
    expect(visits.paths.slice(0, 3)).toEqual(["/20", "/39", "/38"]);
    expect(visits.paths).toHaveLength(30);
  });
});

describe("recent pages", () => {
  const page = (path: string) => ({ path });
  const known = ["/a", "/b", "/c", "/d"].map(page);

  it("are those that were open, then those that changed, without the one that is open and those that are gone", () => {
    const recent = recentPages(["/b", "/gone", "/a"], known, [page("/c"), page("/a"), page("/d")], "/b", 3);
    expect(recent.map(({ path }) => path)).toEqual(["/a", "/c", "/d"]);
  });
});
