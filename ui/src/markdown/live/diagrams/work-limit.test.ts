import { afterEach, expect, it, vi } from "vitest";
import { WorkLimit } from "./work-limit";

afterEach(() => void vi.useRealTimers());

/** Does endless work, and returns the number of its steps. */
function endlessly(step: () => void): number {
  let steps = 0;
  try {
    for (; steps < 1_000_000; steps++) step();
  } catch {
    return steps;
  }
  return Infinity;
}

it.each([
  ["lists", () => void [].push()],
  ["maps", () => void new Map().set(1, 2)],
  ["elements", () => document.body.setAttribute("id", "a")],
  ["days", () => void new Date(0).setDate(2)],
])("work on %s ends after its time", (_, step) => {
  let looks = 0;
  const { push } = Array.prototype;
  // Each look at the clock is a millisecond later.
  const limit = new WorkLimit(10, () => looks++);
  const steps = endlessly(step);
  limit.end();
  expect(limit.isSpent).toBe(true);
  expect(steps).toBeLessThan(12 * 1_024);
  expect(Array.prototype.push).toBe(push);
});

it("work that leaves the thread free goes on", () => {
  vi.useFakeTimers();
  let now = 0;
  const limit = new WorkLimit(1_000, () => now);
  const list: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    for (let step = 0; step < 1_024; step++) list.push(step);
    now += 900;
    vi.advanceTimersByTime(100);
  }
  limit.end();
  expect(limit.isSpent).toBe(false);
});
