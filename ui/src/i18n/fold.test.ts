import { describe, expect, it } from "vitest";
import { fold } from "./fold";

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
