import { expect, it } from "vitest";
import { type FileResult, fileToShow, type PageResult, type PictureResult, type RecordResult, textsToFind } from "../api/search";
import { resultAddress } from "./result-address";

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

it("opens a page with each text highlighted once", () => {
  const url = new URL(resultAddress(ITEM), "http://localhost");
  expect(decodeURIComponent(url.pathname)).toBe("/wiki/旅/京都");
  expect(textsToFind(url)).toEqual(["ｻｰﾊﾞｰ"]);
});

const marked = (text: string) => ({ text, highlights: [] });

it("opens pictures of any name in their folder", () => {
  const picture: PictureResult = { kind: "picture", root: "R1", root_path: "旅/a b.jpg", root_path_bytes: null, title: marked("a b.jpg"), path: marked("/p/旅/a b.jpg"), snippets: [], score: 1 };
  expect(resultAddress(picture)).toBe("/pictures/R1/%E6%97%85?view=a%20b.jpg");
  expect(resultAddress({ ...picture, root_path: "\ufffd.jpg", root_path_bytes: btoa("\xff.jpg") })).toBe("/pictures/R1/?view=%FF.jpg");
  expect(resultAddress(picture, "a&b 旅")).toBe("/pictures/R1/%E6%97%85?view=a%20b.jpg&found=a%26b+%E6%97%85");
});

it("opens a file beside its page", () => {
  const file: FileResult = { kind: "file", asset_id: "A1", page_id: "01", page_path: "/旅", title: marked("a.pdf"), path: marked("/旅/a.pdf"), deleted: false, added: ITEM.updated, snippets: [], score: 1 };
  const url = new URL(resultAddress(file), "http://localhost");
  expect([decodeURIComponent(url.pathname), fileToShow(url)]).toEqual(["/wiki/旅", "A1"]);
  expect(resultAddress({ ...file, deleted: true })).toBe("/bin?page=01&file=A1");
});

it("opens an earlier revision, or the trash", () => {
  const texts = [["find", "ｻｰﾊﾞｰ"]];
  const parts = (item: PageResult) => {
    const { pathname, searchParams } = new URL(resultAddress(item), "http://localhost");
    return [decodeURIComponent(pathname), [...searchParams]];
  };
  expect(parts({ ...ITEM, revision: 3 })).toEqual(["/wiki/旅/京都", [["rev", "3"], ...texts]]);
  expect(parts({ ...ITEM, deleted: true })).toEqual(["/bin", [["page", "01"], ...texts]]);
  expect(parts({ ...ITEM, deleted: true, revision: 3 })).toEqual(["/bin", [["page", "01"], ["rev", "3"], ...texts]]);
});

it("opens a record in the list of records", () => {
  const record: RecordResult = { kind: "record", title: marked("a"), path: marked("/p/a"), path_bytes: null, state: null, snippets: [], score: 1 };
  expect(resultAddress(record)).toBe("/hashes?q=%2Fp%2Fa");
});
