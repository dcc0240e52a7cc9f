import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withTimeout } from "./timeout";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("returns a result before the timeout", async () => {
  expect(await withTimeout(1_000, Promise.resolve("there"))).toBe("there");
  expect(vi.getTimerCount()).toBe(0);
});

it("reports a failure before the timeout", async () => {
  await expect(withTimeout(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});

it("returns null at the timeout, ignoring later failures", async () => {
  let fail: (reason: Error) => void = () => {};
  const pending = withTimeout(1_000, new Promise((_, reject) => (fail = reject)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await pending).toBeNull();
  fail(new Error("late"));
  await vi.advanceTimersByTimeAsync(0);
});
