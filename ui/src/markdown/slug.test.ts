import { expect, it } from "vitest";
import { SlugBook, slugify } from "./slug";

it.each([
  ["Light and shade", "light-and-shade"],
  ["光の覚え書き", "光の覚え書き"],
  ["A  —  b?!", "a-b"],
  ["ＡＢＣ　１２", "abc-12"],
  ["Ünïcode é", "ünïcode-é"],
  ["snake_case", "snake_case"],
  ["!!!", "section"],
  ["", "section"],
])("%j becomes %s", (text, expected) => {
  expect(slugify(text)).toBe(expected);
});

it("numbers duplicates, and takes no number twice", () => {
  const book = new SlugBook();
  expect(["光", "光 2", "光", "光"].map((text) => book.take(text))).toEqual(["光", "光-2", "光-3", "光-4"]);
});
