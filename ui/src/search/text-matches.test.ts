import { describe, expect, it } from "vitest";
import { findTexts } from "./text-matches";

function found(texts: string[], html: string): string[] {
  const root = document.createElement("div");
  root.innerHTML = html;
  return findTexts(texts, root).map((range) => range.toString());
}

describe("findTexts", () => {
  it("finds texts across elements, regardless of width and case", () => {
    expect(found(["京都"], "<p>東<b>京</b>都と京都</p>")).toEqual(["京都", "京都"]);
    expect(found(["ガイド"], "<p>ｶﾞｲﾄﾞ</p>")).toEqual(["ｶﾞｲﾄﾞ"]);
    expect(found(["DATA"], "<p>Database 😀 data</p>")).toEqual(["Data", "data"]);
    expect(found(["a b"], "<p>a\nb</p>")).toEqual(["a\nb"]);
  });

  it("finds each place once, in order", () => {
    expect(found(["b", "ab"], "<p>ab b</p>")).toEqual(["ab", "b"]);
    expect(found([" "], "<p>a b</p>")).toEqual([]);
    expect(found(["x"], "<p>y</p><style>x</style>")).toEqual([]);
  });
});
