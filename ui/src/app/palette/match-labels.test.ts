import { describe, expect, it } from "vitest";
import { bestFirst, find } from "./match-labels";

/** The labels that are found, with the matched letters in brackets. */
function foundLabels(query: string, ...labels: string[]): string[] {
  const candidates = labels.map((label) => ({ label }));
  return find(query, candidates, 9).map(({ spans }) =>
    spans.map(({ text, matched }) => (matched ? `[${text}]` : text)).join(""),
  );
}

describe("finding", () => {
  it("ranks prefix, word, substring and subsequence matches", () => {
    expect(foundLabels("page", "Stop a game", "Homepage", "New page", "Page by page")).toEqual([
      "[Page] by page",
      "New [page]",
      "Home[page]",
      "Sto[p] [a] [g]am[e]",
    ]);
  });

  it("prefers word beginnings to scattered letters", () => {
    expect(foundLabels("sp", "Insert a picture", "Show the panel")).toEqual(["[S]how the [p]anel", "In[s]ert a [p]icture"]);
  });

  it("finds across katakana, hiragana and half-width letters", () => {
    expect(foundLabels("ふぉる", "新しいフォルダー")).toEqual(["新しい[フォル]ダー"]);
    expect(foundLabels("フォル", "新しいﾌｫﾙﾀﾞｰ", "ふぉるだ")).toEqual(["[ふぉる]だ", "新しい[ﾌｫﾙ]ﾀﾞｰ"]);
  });

  it("matches phrases across spaces", () => {
    expect(foundLabels("side pan", "Show the side panel")).toEqual(["Show the [side] [pan]el"]);
  });

  it("keeps the limited order without a query", () => {
    const candidates = ["c", "a", "b"].map((label) => ({ label }));
    expect(find(" ", candidates, 2).map(({ candidate }) => candidate.label)).toEqual(["c", "a"]);
  });

  it("finds nothing without a match", () => {
    expect(foundLabels("xyz", "京都")).toEqual([]);
    expect(foundLabels("ba", "ab")).toEqual([]);
  });
});

describe("the best of all kinds", () => {
  const entry = (group: string, ...names: string[]) => ({ group, names });
  const ranked = (query: string, ...entries: { group: string; names: readonly string[] }[]) => bestFirst(query, entries).map(({ names, heading }) => `${heading}: ${names[0]}`);

  it("ranks matches across kinds", () => {
    const entries = [
      entry("pages", "Telephotos"),
      entry("pages", "My photos"),
      entry("pages", "Photos of moss"),
      entry("pages", "Pip has old toes"),
      entry("folders", "ｐｈｏｔｏｓ"),
      entry("commands", "Photos: sort"),
      entry("commands", "Two photosets"),
    ];
    const best = ["ｐｈｏｔｏｓ", "Photos of moss", "Photos: sort", "My photos", "Two photosets", "Telephotos"].map((name) => `best: ${name}`);
    expect(ranked(" photos ", ...entries)).toEqual([...best, "pages: Pip has old toes"]);
  });

  it("prefers a command's word to a page's letters", () => {
    expect(ranked("trash", entry("pages", "Hotels", "/Travel/Osaka/Hotels"), entry("commands", "Go to Trash"))).toEqual(["best: Go to Trash", "pages: Hotels"]);
    expect(ranked("top", entry("commands", "Go to Pictures"), entry("commands", "Top page"))).toEqual(["commands: Top page", "commands: Go to Pictures"]);
  });

  it("matches several words in any order", () => {
    const entries = [entry("pages", "Kyoto by temple bus"), entry("pages", "Temples of Kyoto"), entry("commands", "Kyoto temple")];
    expect(ranked("kyoto temple", ...entries)).toEqual(["best: Kyoto temple", "best: Kyoto by temple bus", "best: Temples of Kyoto"]);
  });

  it("matches any name of an entry", () => {
    expect(ranked("kyoto", entry("pages", "Old town"), entry("pages", "古都", "kyoto", "/travel/kyoto"))).toEqual(["pages: 古都", "pages: Old town"]);
    expect(ranked("/travel/kyoto", entry("pages", "Old town"), entry("folders", "古都", "/travel/kyoto"))).toEqual(["best: 古都", "pages: Old town"]);
  });

  it("keeps the order of the kinds", () => {
    expect(ranked("a", entry("pages", "a"), entry("folders", "xa"))).toEqual(["pages: a", "folders: xa"]);
    expect(ranked("", entry("pages", "a"), entry("folders", "b"))).toEqual(["pages: a", "folders: b"]);
  });
});
