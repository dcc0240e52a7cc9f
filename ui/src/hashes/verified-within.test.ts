import { expect, it } from "vitest";
import { verifiedWithinDays } from "./verified-within";

const now = new Date("2026-11-26T12:00:00Z");

it.each([
  [null, null],
  ["2026-11-26T11:59:00Z", 1],
  ["2026-11-25T12:00:00Z", 1],
  ["2026-11-25T11:59:00Z", 2],
  ["2026-11-14T12:00:00Z", 12],
])("of %s the days are %s", (oldest, days) => {
  expect(verifiedWithinDays(oldest, now)).toBe(days);
});
