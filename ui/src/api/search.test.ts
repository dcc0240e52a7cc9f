import { describe, expect, it } from "vitest";
import { parseSearchAddress, searchAddress, spansOf, textsToFind, withoutTexts, withTexts } from "./search";

describe("search", () => {
  it("cuts texts at their highlights", () => {
    expect(spansOf({ text: "abc", highlights: [[1, 2]] })).toEqual([
      { text: "a", matched: false },
      { text: "b", matched: true },
      { text: "c", matched: false },
    ]);
    expect(spansOf({ text: "", highlights: [] })).toEqual([]);
  });

  it("keeps query, kind and scope in the address", () => {
    const parsed = (address: string) => parseSearchAddress(new URL(address, "http://localhost"));
    const nothing = { query: "", kind: null, deleted: false, revisions: false };
    expect(parsed(searchAddress({ query: "a&b 京都" }))).toEqual({ ...nothing, query: "a&b 京都" });
    const all = { query: "a", kind: "picture", deleted: true, revisions: true } as const;
    expect(searchAddress(all)).toBe("/search?q=a&kind=picture&deleted=true&revisions=true");
    expect(parsed(searchAddress(all))).toEqual(all);
    expect(parsed("/search?kind=x&deleted=1")).toEqual(nothing);
    expect(searchAddress({})).toBe("/search");
    expect(parseSearchAddress(new URL("http://localhost/pages"))).toBeNull();
  });

  it("removes only highlight texts from an address", () => {
    const url = new URL(withTexts("/wiki/a?rev=3", ["b", "c d"]), "http://localhost");
    expect(textsToFind(url)).toEqual(["b", "c d"]);
    expect(withoutTexts(url)).toBe("/wiki/a?rev=3");
    expect(withoutTexts(new URL("http://localhost/wiki/a?find=b"))).toBe("/wiki/a");
  });
});
