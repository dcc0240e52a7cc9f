import { describe, expect, it } from "vitest";
import { foundAddress, parseSearchAddress, searchAddress, type SearchItem, spansOf, textsToFind } from "./search";

const ITEM: SearchItem = {
  kind: "page",
  page_id: "01",
  title: { text: "秋の旅", highlights: [] },
  path: { text: "/旅/京都", highlights: [] },
  deleted: false,
  moved_from: null,
  updated: "2026-01-01T00:00:00Z",
  user_name: "Aya",
  snippets: [{ text: "😀ｻｰﾊﾞｰの管理、ｻｰﾊﾞｰ", highlights: [[2, 7], [11, 16]] }],
  score: 1,
};

describe("search", () => {
  it("cuts texts at their highlights", () => {
    expect(spansOf({ text: "abc", highlights: [[1, 2]] })).toEqual([
      { text: "a", matched: false },
      { text: "b", matched: true },
      { text: "c", matched: false },
    ]);
    expect(spansOf({ text: "", highlights: [] })).toEqual([]);
  });

  it("leads to a page with the texts to be highlighted, each once", () => {
    const url = new URL(foundAddress(ITEM), "http://localhost");
    expect(decodeURIComponent(url.pathname)).toBe("/wiki/旅/京都");
    expect(textsToFind(url)).toEqual(["ｻｰﾊﾞｰ"]);
  });

  it("keeps the query in the address", () => {
    const address = searchAddress("a&b 京都");
    expect(parseSearchAddress(new URL(address, "http://localhost"))).toEqual({ query: "a&b 京都" });
    expect(searchAddress("")).toBe("/search");
    expect(parseSearchAddress(new URL("http://localhost/pages"))).toBeNull();
  });
});
