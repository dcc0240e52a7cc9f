import { expect, it, vi } from "vitest";
import { animationPart } from "../../testing/animation-frames";
import type { AnimationFrame } from "./animation";
import { readPart, SequenceParts, type SequencePart } from "./sequence";

it("a part has its frames and all durations", () => {
  const part = readPart(animationPart([1, 200, 5, 400], 2));
  expect(part).toMatchObject({ from: 1, durations: [200, 100, 400], plays: 3, width: 40, height: 30 });
  expect(part?.frames.map(({ width, isBlended }) => [width, isBlended])).toEqual([
    [40, false],
    [40, false],
  ]);
});

it("an answer without table or frames is none", () => {
  expect(readPart(animationPart([], 2))).toBeNull();
  expect(readPart(animationPart([0, 200], 0))).toBeNull();
  expect(readPart(new Uint8Array(9))).toBeNull();
});

const part = (from: number, count = 2): SequencePart => ({
  from,
  frames: Array.from({ length: count }, (_, nth) => ({ x: from + nth }) as AnimationFrame),
  durations: Array.from({ length: 6 }, () => 100),
  plays: 0,
  width: 40,
  height: 30,
  type: "image/webp",
  size: 10,
});

it("what follows is loaded before it is needed", async () => {
  const load = vi.fn((from: number) => Promise.resolve(part(from)));
  const parts = new SequenceParts(part(0), load);
  expect((await parts.frame(1)).x).toBe(1);
  expect(load.mock.calls).toEqual([[2]]);
  expect((await parts.frame(2)).x).toBe(2);
  expect((await parts.frame(3)).x).toBe(3);
  expect(load.mock.calls).toEqual([[2], [4]]);
  // The end is followed by the start, which is there.
  expect((await parts.frame(5)).x).toBe(5);
  expect(load).toHaveBeenCalledTimes(2);
});

it("a part is loaded once at a time", async () => {
  const load = vi.fn((from: number) => Promise.resolve(part(from)));
  const parts = new SequenceParts(part(0), load);
  await Promise.all([parts.frame(4), parts.frame(4)]);
  expect(load.mock.calls).toEqual([[4]]);
});

it("parts that take too much memory are forgotten", async () => {
  const load = vi.fn((from: number) => Promise.resolve(part(from)));
  const parts = new SequenceParts(part(0), load, 25);
  await parts.frame(0);
  await parts.frame(2);
  await parts.frame(4);
  load.mockClear();
  await parts.frame(0);
  expect(load.mock.calls).toEqual([[2]]);
});

it("an error is reported with its frame", async () => {
  const parts = new SequenceParts(part(0), () => Promise.reject(new Error("422")));
  expect((await parts.frame(0)).x).toBe(0);
  await expect(parts.frame(2)).rejects.toThrow("422");
});
