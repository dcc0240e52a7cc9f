import { expect, it } from "vitest";
import { countUnsound, verifiedWords } from "./verification-words";

const now = new Date("2026-11-26T12:00:00Z");

it.each([
  [null, 0, "Some files have never been verified"],
  ["2026-11-26T11:59:00Z", 0, "Everything verified today"],
  ["2026-11-25T12:00:00Z", 0, "Everything verified today"],
  ["2026-11-25T11:59:00Z", 0, "Everything verified within 2 days"],
  ["2026-11-14T12:00:00Z", 0, "Everything verified within 12 days"],
  ["2026-11-26T11:59:00Z", 1, "1 file not as recorded"],
  [null, 2, "2 files not as recorded"],
])("of %s with %i unsound records: %s %s", (oldest, unsound, words) => {
  expect(verifiedWords(oldest, unsound, now)).toBe(words);
});

it("counts records that are not as recorded", () => {
  expect(countUnsound({ ok: 5, touched: 1, new: 1, legacy: 1, foreign: 1, unknown: 2 })).toBe(0);
  expect(countUnsound({ ok: 5, changed: 1, missing: 2, malformed: 1 })).toBe(4);
});
