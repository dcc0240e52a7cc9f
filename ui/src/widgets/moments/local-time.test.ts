import { expect, it } from "vitest";
import { fromLocalTime, localTime } from "./local-time";

const now = new Date(2026, 4, 12, 14, 30, 20);

it("is a minute of the local time", () => {
  expect(localTime(now)).toBe("2026-05-12 14:30");
  expect(localTime(new Date(2026, 0, 2, 3, 4))).toBe("2026-01-02 03:04");
});

it.each([
  ["2026-05-12 14:29", new Date(2026, 4, 12, 14, 29, 59, 999)],
  ["2026-05-12T14:30", now],
  ["2026/5/12 14:31", new Date(2026, 4, 12, 14, 31, 59, 999)],
  ["２０２６－０５－１１　９：０５", new Date(2026, 4, 11, 9, 5, 59, 999)],
  [" 2026-05-11 ", new Date(2026, 4, 11, 23, 59, 59, 999)],
  ["2026-05-12", now],
  ["2026-04-31 10:00", null],
  ["2026-04-30 24:00", null],
  ["2026-04-30 10:60", null],
  ["2026-04", null],
  ["", null],
  ["yesterday", null],
])("%j includes its whole minute or day", (value, expected) => {
  expect(fromLocalTime(value, now)).toEqual(expected);
});
