import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RenderSchedule } from "./render-schedule";

const FRAME = 16;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Counts calls of a draw function; each call takes `ms`. */
function drawing(ms: number) {
  let worked = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + worked);
  return vi.fn(() => void (worked += ms));
}

it("renders fast content in the next frame, once", () => {
  const draw = drawing(2);
  const pace = new RenderSchedule(draw);
  pace.now();
  for (let letter = 0; letter < 3; letter++) pace.soon();
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersToNextFrame();
  expect(draw).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * FRAME);
  expect(draw).toHaveBeenCalledTimes(2);
});

it("renders slow content with pauses, outside the frame", () => {
  const draw = drawing(40);
  const pace = new RenderSchedule(draw);
  pace.now();
  pace.soon();
  vi.advanceTimersToNextFrame();
  expect(draw).toHaveBeenCalledTimes(1);
  pace.soon();
  vi.advanceTimersByTime(100 - FRAME);
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20 + FRAME);
  expect(draw).toHaveBeenCalledTimes(2);
});

it("renders slow content soon after a long pause", () => {
  const draw = drawing(40);
  const pace = new RenderSchedule(draw);
  pace.now();
  vi.advanceTimersByTime(1_000);
  pace.soon();
  vi.advanceTimersToNextFrame();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(2);
});

it("renders nothing after stopping", () => {
  const draw = drawing(2);
  const pace = new RenderSchedule(draw);
  pace.soon();
  pace.stop();
  vi.advanceTimersByTime(10 * FRAME);
  expect(draw).not.toHaveBeenCalled();
});
