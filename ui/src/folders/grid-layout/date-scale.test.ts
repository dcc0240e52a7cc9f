import { expect, it } from "vitest";
import { dateLabels, hasDateScale, topAt, yOf } from "./date-scale";
import { gridShape } from "./grid-geometry";

const HEIGHT = 600;

/** Groups of 40 entries each. */
function scale(keys: (string | null)[], count = 40) {
  const groups = keys.map((key, at) => ({ key, first: at * count, count }));
  return { groups, shape: gridShape(900, 160, keys.length * count, groups) };
}

it("each year has one label", () => {
  const { groups, shape } = scale([null, "2023-05", "2023-11", "2024-01", "2025-02", "2025-03"]);
  const labels = dateLabels(shape, groups, HEIGHT);
  expect(labels.map(({ key }) => key)).toEqual(["2023", "2024", "2025"]);
  expect(labels.map(({ y }) => y)).toEqual(labels.map(({ y }) => y).toSorted((a, b) => a - b));
});

it("one year has labels of months", () => {
  const { groups, shape } = scale(["2025-02-01", "2025-02-03", "2025-04-30"]);
  expect(dateLabels(shape, groups, HEIGHT).map(({ key }) => key)).toEqual(["2025-02", "2025-04"]);
});

it("labels keep their distance", () => {
  const keys = Array.from({ length: 60 }, (_, at) => `${1960 + at}`);
  const { groups, shape } = scale(keys);
  const labels = dateLabels(shape, groups, HEIGHT);
  const gaps = labels.slice(1).map(({ y }, at) => y - (labels[at]?.y ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(22);
  expect(labels.length).toBeGreaterThan(10);
});

it("many entries of several months have a scale", () => {
  expect(hasDateScale(scale(["2024", "2025"], 50).groups)).toBe(true);
  expect(hasDateScale(scale(["2024", "2025"], 49).groups)).toBe(false);
  expect(hasDateScale(scale([null, "2025-01-01", "2025-01-02"], 500).groups)).toBe(false);
});

it("places and offsets correspond", () => {
  const { shape } = scale(["2024", "2025"]);
  expect(topAt(shape, yOf(shape, 1_000, HEIGHT), HEIGHT)).toBeCloseTo(1_000);
  expect([topAt(shape, -5, HEIGHT), topAt(shape, 9_999, HEIGHT)]).toEqual([0, shape.contentHeight - HEIGHT]);
});
