import { expect, it } from "vitest";
import { detectLanguage } from "./language";

it.each([
  ["十一月の二週目、朝いちばんの南禅寺から歩き始める。", "ja"],
  ["# 秋の庭\n\nNikon Z 40mm f/5.6 で撮った。苔の緑がよい。", "ja"],
  ["The garden is still in the shade of the hill, and it is cold.", "en"],
  ["The word 苔 is a word for moss, and it is the green of this garden.", "en"],
  ["Der Garten liegt noch im Schatten des Berges.", ""],
  ["```\nこれはコードの中の日本語です\n```\n\nA note on the code above.", "en"],
  ["https://example.org/ `日本語`", null],
  ["", null],
  ["2026-11-18 — 12", null],
])("%j is %j", (source, expected) => {
  expect(detectLanguage(source)).toBe(expected);
});
