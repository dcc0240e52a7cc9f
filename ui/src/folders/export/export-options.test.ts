import { expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { edgeFrom, exampleName, undatedFor, wholeNumber } from "./export-options";

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

it("dates name files, unless one is unknown", () => {
  const named = (taken: string | null) => exampleName({ pattern: "{date} {time} {name}", format: "png" }, "{date}.jpg", 1, taken);
  expect(named("2026-11-30T08:15:00")).toBe("2026-11-30 08-15-00 {date}.png");
  expect(named(null)).toBe("{date} {time} {date}.png");
  const entry = (name: string, taken?: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", taken });
  const entries = [entry("a.jpg", "2026-11-30T08:15:00"), entry("b.jpg")];
  expect(["{date}", "{time}", "{name}"].map((pattern) => undatedFor(pattern, entries)?.name)).toEqual(["b.jpg", "b.jpg", undefined]);
});

it.each([
  ["{name}", "a.b.png", 1, "a.b.jpg"],
  ["trip {number}", "a.png", 12, "trip 01.jpg"],
  [" {number}-{name} ", "$&.png", 3, "1-$&.jpg"],
  ["{name}", ".hidden", 1, ".hidden.jpg"],
])("pattern “%s” names “%s”", (pattern, name, count, expected) => {
  expect(exampleName({ pattern, format: "jpeg" }, name, count)).toBe(expected);
});
