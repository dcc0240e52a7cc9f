import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { retryAfterFailure } from "./thumbnail-retry";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const full = new ApiError("queue_full", 503, "");

async function outcome(probe: () => Promise<void>, attempt: number, signal: AbortSignal = never) {
  const retry = retryAfterFailure({ probe }, "/thumb", attempt, signal);
  retry.catch(() => {});
  await vi.runAllTimersAsync();
  return retry;
}

it("an undecodable picture is not retried", async () => {
  const broken = new ApiError("picture_undecodable", 422, "");
  expect(await outcome(() => Promise.reject(broken), 0)).toEqual({ failed: broken });
});

it("a full queue is retried a few times", async () => {
  expect(await outcome(() => Promise.reject(full), 0)).toBe("again");
  expect(await outcome(() => Promise.reject(full), 5)).toEqual({ failed: full });
});

it("shows a thumbnail that is available by now", async () => {
  expect(await outcome(() => Promise.resolve(), 0)).toBe("again");
});

it("ends with the cell", async () => {
  const ending = new AbortController();
  ending.abort();
  await expect(outcome(() => Promise.reject(full), 0, ending.signal)).rejects.toHaveProperty("name", "AbortError");
});
