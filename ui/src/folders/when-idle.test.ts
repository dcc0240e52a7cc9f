// Where the engine has no word for it, as the tests' document has none.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { whenIdle } from "./when-idle";

let frames: FrameRequestCallback[];
const work = vi.fn();
const draw = () => frames.splice(0).forEach((frame) => frame(0));

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  work.mockReset();
});

it("waits until what is to be drawn has been drawn", () => {
  whenIdle(work, 1_000);
  vi.advanceTimersByTime(999);
  draw();
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledOnce();
  vi.runAllTimers();
  expect(work).toHaveBeenCalledOnce();
});

it("waits no longer than it may, where nothing is drawn", () => {
  whenIdle(work, 1_000);
  vi.advanceTimersByTime(1_000);
  expect([work.mock.calls.length, frames]).toEqual([1, []]);
});

it("is left be before and after the frame", () => {
  const leave = whenIdle(work, 1_000);
  leave();
  expect(frames).toEqual([]);
  const leaveLater = whenIdle(work, 1_000);
  draw();
  leaveLater();
  vi.runAllTimers();
  expect(work).not.toHaveBeenCalled();
});
