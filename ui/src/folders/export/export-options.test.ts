import { expect, it } from "vitest";
import { edgeFrom, exampleName, wholeNumber } from "./export-options";

it.each([
  ["", null],
  [" ", null],
  ["1600", 1600],
  [" 65535 ", 65_535],
  ["65536", undefined],
  ["0", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["large", undefined],
])("“%s” is a side or refused", (text, expected) => {
  expect(edgeFrom(text)).toBe(expected);
});

it("a quality has a limit", () => {
  expect(["1", "100", "101", "０"].map((text) => wholeNumber(text, 100))).toEqual([1, 100, null, null]);
});

it.each([
  ["{name}", "a.b.png", 1, "a.b.jpg"],
  ["trip {number}", "a.png", 12, "trip 01.jpg"],
  [" {number}-{name} ", "$&.png", 3, "1-$&.jpg"],
  ["{name}", ".hidden", 1, ".hidden.jpg"],
])("pattern “%s” names “%s”", (pattern, name, count, expected) => {
  expect(exampleName({ pattern, format: "jpeg" }, name, count)).toBe(expected);
});
