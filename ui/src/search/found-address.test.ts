import { expect, it } from "vitest";
import { type PageResult, textsToFind } from "../api/search";
import { foundAddress } from "./found-address";

const ITEM: PageResult = {
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

it("leads to a page with the texts to be highlighted, each once", () => {
  const url = new URL(foundAddress(ITEM), "http://localhost");
  expect(decodeURIComponent(url.pathname)).toBe("/wiki/旅/京都");
  expect(textsToFind(url)).toEqual(["ｻｰﾊﾞｰ"]);
});
