import { expect, it } from "vitest";
import { addMonths, weeksOf } from "./calendar";

it.each([
  ["2026-11", 7, "2026-11-01", "2026-12-12"],
  ["2026-11", 1, "2026-10-26", "2026-12-06"],
  ["2026-02", 7, "2026-02-01", "2026-03-14"],
  ["2028-02", 1, "2028-01-31", "2028-03-12"],
])("weeks of %s from day %i", (month, firstDay, first, last) => {
  const weeks = weeksOf(month, firstDay);
  expect([weeks.at(0)?.at(0), weeks.at(-1)?.at(-1), weeks.length]).toEqual([first, last, 6]);
});

it("counts months over the ends of years", () => {
  expect([addMonths("2026-12", 1), addMonths("2026-01", -1), addMonths("2026-05", 12)]).toEqual(["2027-01", "2025-12", "2027-05"]);
});
