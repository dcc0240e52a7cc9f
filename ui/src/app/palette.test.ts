import { describe, expect, it } from "vitest";
import { find } from "./palette";

/** The labels that are found, the letters that are meant in brackets. */
function found(query: string, ...labels: string[]): string[] {
  const candidates = labels.map((label) => ({ label }));
  return find(query, candidates, 9).map(({ spans }) =>
    spans.map(({ text, matched }) => (matched ? `[${text}]` : text)).join(""),
  );
}

describe("finding", () => {
  it("puts beginnings first, then words, then parts, then letters in their order", () => {
    expect(found("page", "Stop a game", "Homepage", "New page", "Page by page")).toEqual([
      "[Page] by page",
      "New [page]",
      "Home[page]",
      "Sto[p] [a] [g]am[e]",
    ]);
  });

  it("prefers the beginnings of words to letters that stand somewhere", () => {
    expect(found("sp", "Insert a picture", "Show the panel")).toEqual(["[S]how the [p]anel", "In[s]ert a [p]icture"]);
  });

  it("finds katakana by hiragana, half width and the other way round", () => {
    expect(found("ふぉる", "新しいフォルダー")).toEqual(["新しい[フォル]ダー"]);
    expect(found("フォル", "新しいﾌｫﾙﾀﾞｰ", "ふぉるだ")).toEqual(["[ふぉる]だ", "新しい[ﾌｫﾙ]ﾀﾞｰ"]);
  });

  it("takes words over the spaces between them", () => {
    expect(found("side pan", "Show the side panel")).toEqual(["Show the [side] [pan]el"]);
  });

  it("keeps the given order where nothing is asked, and the limit always", () => {
    const candidates = ["c", "a", "b"].map((label) => ({ label }));
    expect(find(" ", candidates, 2).map(({ candidate }) => candidate.label)).toEqual(["c", "a"]);
  });

  it("does not find what is not there", () => {
    expect(found("xyz", "京都")).toEqual([]);
    expect(found("ba", "ab")).toEqual([]);
  });
});
