import { expect, it } from "vitest";
import { pathFromTyping } from "./typed-path";

it.each([
  ["秋の庭", "/秋の庭"],
  [" 旅 / 京都 ", "/旅 / 京都"],
  ["/旅/京都/", "/旅/京都"],
  ["a/../b", "/b"],
  ["", null],
  ["  ", null],
  ["a\tb", null],
  ["a\u202eb", null],
  ["a\u200bb", null],
  ["あ".repeat(341), `/${"あ".repeat(341)}`],
  ["あ".repeat(342), null],
  ["a/".repeat(65), null],
])("%j becomes %j", (typed, path) => {
  expect(pathFromTyping(typed)).toBe(path);
});
