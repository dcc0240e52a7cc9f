import { describe, expect, it } from "vitest";
import { parseSearchAddress, searchAddress, spansOf } from "./search";

describe("search", () => {
  it("cuts texts at their highlights", () => {
    expect(spansOf({ text: "abc", highlights: [[1, 2]] })).toEqual([
      { text: "a", matched: false },
      { text: "b", matched: true },
      { text: "c", matched: false },
    ]);
    expect(spansOf({ text: "", highlights: [] })).toEqual([]);
  });

  it("keeps the query and the kind in the address", () => {
    const parsed = (address: string) => parseSearchAddress(new URL(address, "http://localhost"));
    expect(parsed(searchAddress("a&b 京都"))).toEqual({ query: "a&b 京都", kind: null });
    expect(parsed(searchAddress("a", "picture"))).toEqual({ query: "a", kind: "picture" });
    expect(parsed("/search?kind=x")).toEqual({ query: "", kind: null });
    expect(searchAddress("")).toBe("/search");
    expect(parseSearchAddress(new URL("http://localhost/pages"))).toBeNull();
  });
});
