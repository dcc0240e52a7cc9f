import { describe, expect, it } from "vitest";
import { find, fold, rank } from "./palette";

describe("folding", () => {
  it.each([
    ["レンズの手入れ", "れんずの手入れ"],
    ["ﾚﾝｽﾞ", "れんず"],
    ["ＡＢＣ", "abc"],
    ["か\u3099", "が"],
    ["ヴァイオリン", "ゔぁいおりん"],
    ["ー", "ー"],
  ])("%s is %s", (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});

describe("finding", () => {
  it("puts the name itself first, then beginnings, then what holds it, then its letters in order", () => {
    const candidates = ["旅/ない京都", "k-yo-to", "旅/京都/秋", "旅/京都の寺", "京都"].map((text) => ({ text, folded: fold(text) }));
    expect(find("京都", candidates, 9).map(({ text }) => text)).toEqual(["京都", "旅/京都の寺", "旅/京都/秋", "旅/ない京都"]);
    expect(find("kyt", candidates, 9).map(({ text }) => text)).toEqual(["k-yo-to"]);
  });

  it("finds katakana by hiragana and the other way round", () => {
    const candidates = [{ folded: fold("レンズの手入れ") }, { folded: fold("れんげ") }];
    expect(find("れんず", candidates, 9)).toHaveLength(1);
    expect(find("レン", candidates, 9)).toHaveLength(2);
  });

  it("keeps the given order where nothing is asked, and the limit always", () => {
    const candidates = ["c", "a", "b"].map((folded) => ({ folded }));
    expect(find(" ", candidates, 2).map(({ folded }) => folded)).toEqual(["c", "a"]);
  });

  it("does not find what is not there", () => {
    expect(rank("xyz", "京都")).toBeNull();
    expect(rank("ba", "ab")).toBeNull();
  });

  it("looks through ten thousand pages in a moment", () => {
    const candidates = Array.from({ length: 10_000 }, (_, index) => ({ folded: `日記/2026/${index} 庭の記録` }));
    const start = performance.now();
    expect(find("9999", candidates, 50)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
