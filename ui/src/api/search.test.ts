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

  it("keeps the query in the address", () => {
    const address = searchAddress("a&b 京都");
    expect(parseSearchAddress(new URL(address, "http://localhost"))).toEqual({ query: "a&b 京都" });
    expect(searchAddress("")).toBe("/search");
    expect(parseSearchAddress(new URL("http://localhost/pages"))).toBeNull();
  });
});
