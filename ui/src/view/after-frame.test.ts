import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runAfterFrame } from "./after-frame";

describe("work after a frame", () => {
  let frame: FrameRequestCallback = () => {};
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(globalThis, "requestAnimationFrame").mockImplementation((callback) => {
      frame = callback;
      return 0;
    });
  });
  afterEach(() => vi.useRealTimers());

  it("runs once it is painted", () => {
    const run = vi.fn();
    runAfterFrame(run);
    frame(0);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it("runs a moment later if nothing is painted", () => {
    const run = vi.fn();
    runAfterFrame(run);
    vi.advanceTimersByTime(249);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("can be cancelled before and after the frame", () => {
    const run = vi.fn();
    runAfterFrame(run)();
    vi.advanceTimersByTime(1_000);
    const stop = runAfterFrame(run);
    frame(0);
    stop();
    vi.advanceTimersByTime(1_000);
    expect(run).not.toHaveBeenCalled();
  });
});
