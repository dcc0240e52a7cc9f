import { expect, it } from "vitest";
import { fromLocalTime, localTime } from "./local-time";

const now = new Date(2026, 4, 12, 14, 30, 20);

it("is a minute of the local time", () => {
  expect(localTime(now)).toBe("2026-05-12T14:30");
  expect(localTime(new Date(2026, 0, 2, 3, 4))).toBe("2026-01-02T03:04");
});

it.each([
  ["2026-05-12T14:29", new Date(2026, 4, 12, 14, 29, 59, 999)],
  ["2026-05-12T14:30", now],
  ["2026-05-12T14:31", new Date(2026, 4, 12, 14, 31, 59, 999)],
  ["", null],
  ["yesterday", null],
])("%j includes its whole minute", (value, expected) => {
  expect(fromLocalTime(value, now)).toEqual(expected);
});
