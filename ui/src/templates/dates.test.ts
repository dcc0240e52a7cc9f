import { expect, it } from "vitest";
import { addDays, dayOfPath, pathOfDay } from "./dates";

it.each([
  ["/daily/{{date:YYYY-MM-DD}}", "/daily/2026-11-09"],
  ["/journal/{{date:YYYY}}/{{date:MM}}/{{date:DD}}", "/journal/2026/11/09"],
  ["/{{date:YYYY/MM/DD [note]}}", "/2026/11/09 note"],
  ["/日記/{{date:YYYY年M月D日}}", "/日記/2026年11月9日"],
  ["/Daily (D)/{{date:D MMMM YYYY}}", "/Daily (D)/9 November 2026"],
])("finds the day in a path by %s", (pattern, path) => {
  expect(pathOfDay(pattern, "2026-11-09", "en")).toBe(path);
  expect(dayOfPath(pattern, path, "en")).toBe("2026-11-09");
});

it.each(["/daily/2026-13-01", "/daily/2026-02-30", "/daily/2026-1-1", "/daily", "/daily/2026-11-09/more", "/other/2026-11-09"])(
  "finds no day in %s",
  (path) => {
    expect(dayOfPath("/daily/{{date:YYYY-MM-DD}}", path, "en")).toBeNull();
  },
);

it("counts days across months and years", () => {
  expect([addDays("2026-12-31", 1), addDays("2028-03-01", -1)]).toEqual(["2027-01-01", "2028-02-29"]);
});
