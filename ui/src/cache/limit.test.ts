import { expect, it } from "vitest";
import { limitOf, splitLimit } from "./limit";

const GIB = 2 ** 30;
const MIB = 2 ** 20;

it.each([
  [GIB, { value: 1, unit: "GiB" }],
  [1.5 * GIB, { value: 1.5, unit: "GiB" }],
  [GIB + MIB, { value: 1025, unit: "MiB" }],
  [500 * MIB, { value: 500, unit: "MiB" }],
  [MIB + 1024, { value: 1, unit: "MiB" }],
])("%d bytes are %o", (bytes, split) => {
  expect(splitLimit(bytes)).toEqual(split);
});

it.each<[number | null, "MiB" | "GiB", number | null]>([
  [1, "MiB", MIB],
  [0.99, "MiB", null],
  [2 ** 20, "GiB", 2 ** 50],
  [2 ** 20 + 1, "GiB", null],
  [1.5, "GiB", 1.5 * GIB],
  [-1, "GiB", null],
  [null, "GiB", null],
])("%d %s is a limit of %d bytes", (value, unit, bytes) => {
  expect(limitOf(value, unit)).toBe(bytes);
});
