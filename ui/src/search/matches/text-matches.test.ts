import { describe, expect, it } from "vitest";
import { findTexts } from "./text-matches";

function matchedTexts(texts: string[], html: string): string[] {
  const root = document.createElement("div");
  root.innerHTML = html;
  return findTexts(texts, root).map((range) => range.toString());
}

describe("findTexts", () => {
  it("finds texts regardless of elements, width and case", () => {
    expect(matchedTexts(["京都"], "<p>東<b>京</b>都と京都</p>")).toEqual(["京都", "京都"]);
    expect(matchedTexts(["ガイド"], "<p>ｶﾞｲﾄﾞ</p>")).toEqual(["ｶﾞｲﾄﾞ"]);
    expect(matchedTexts(["DATA"], "<p>Database 😀 data</p>")).toEqual(["Data", "data"]);
    expect(matchedTexts(["a b"], "<p>a\nb</p>")).toEqual(["a\nb"]);
  });

  it("finds each place once, in order", () => {
    expect(matchedTexts(["b", "ab"], "<p>ab b</p>")).toEqual(["ab", "b"]);
    expect(matchedTexts([" "], "<p>a b</p>")).toEqual([]);
    expect(matchedTexts(["x"], "<p>y</p><style>x</style>")).toEqual([]);
  });
});

describe("findTexts with blanks", () => {
  const html = "<p>a <b>b</b> 京都</p><p>秋の ab</p>";
  const found = (text: string, matchCase = false) => {
    const root = document.createElement("div");
    root.innerHTML = html;
    return findTexts([text], root, { keepBlanks: true, matchCase }).map((range) => range.toString());
  };

  it("distinguishes words with and without them", () => {
    expect(found("ab")).toEqual(["ab"]);
    expect(found("a b")).toEqual(["a b"]);
  });

  it("stays within a paragraph", () => {
    expect(found("京都秋")).toEqual([]);
    expect(found("京都")).toEqual(["京都"]);
  });

  it("matches the case on request, in any width", () => {
    expect(found("AB")).toEqual(["ab"]);
    expect(found("AB", true)).toEqual([]);
    expect(found("ａｂ", true)).toEqual(["ab"]);
  });
});
