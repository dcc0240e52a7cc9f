import { expect, it } from "vitest";
import { applyDate, dateText, inverseDate, secondsBetween, shifted, typedDate } from "./dates";

const OWN = { taken: "2024-12-31T23:30:00" };
const STATED = { taken: "2025-01-01T00:30:00", taken_in_sidecar: true, taken_in_file: "2024-12-31T23:30:00" };

it.each([
  [OWN, { shift: 3_600 }, STATED],
  [STATED, { shift: -3_600 }, OWN],
  [OWN, { taken: "2025-01-01T00:30:00" }, STATED],
  [STATED, { taken: "" }, OWN],
  [{}, { taken: "2025-01-01T00:30:00" }, { taken: "2025-01-01T00:30:00", taken_in_sidecar: true }],
  [{}, { shift: 60 }, {}],
  [OWN, { shift: 0 }, OWN],
])("of %j, %j makes %j, and is reversible", (before, change, after) => {
  const now = applyDate(before, change);
  const known = (one: object) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
  expect(known(now)).toEqual(after);
  expect(known(applyDate(now, inverseDate(before, change)))).toEqual(before);
});

it("a change without an effect has no inverse", () => {
  expect(inverseDate(STATED, { taken: STATED.taken })).toEqual({});
  expect(inverseDate(OWN, { taken: "" })).toEqual({});
  expect(inverseDate({}, { shift: 60 })).toEqual({});
});

it("a shift crosses leap days and keeps fractions", () => {
  expect(shifted("2024-02-28T23:00:00.25", 2 * 3_600)).toBe("2024-02-29T01:00:00.25");
  expect(shifted("2023-02-28T23:00:00", 2 * 3_600)).toBe("2023-03-01T01:00:00");
  expect(shifted("9999-12-31T23:00:00", 2 * 3_600)).toBe("9999-12-31T23:00:00");
  expect(secondsBetween("2024-02-28T23:00:00.25", "2024-02-29T01:00:00")).toBe(7_200);
});

it.each([
  ["2026-11-20 09:30:15", "2026-11-20T09:30:15"],
  [" 2026/1/2 9:30 ", "2026-01-02T09:30:00"],
  ["2026年11月20日 9:30", "2026-11-20T09:30:00"],
  ["２０２６-１１-２０", "2026-11-20T00:00:00"],
  ["2026-02-30", null],
  ["2026-11-20 24:00", null],
  ["20 Nov", null],
  ["", null],
])("“%s” is typed as a date", (text, expected) => {
  expect(typedDate(text)).toBe(expected);
  if (expected) expect(typedDate(dateText(expected))).toBe(expected);
});
