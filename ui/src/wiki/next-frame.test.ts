import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runAfterFrame } from "./next-frame";

describe("what comes after a frame", () => {
  let frame: FrameRequestCallback = () => {};
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(globalThis, "requestAnimationFrame").mockImplementation((callback) => {
      frame = callback;
      return 0;
    });
  });
  afterEach(() => vi.useRealTimers());

  it("comes when it is drawn, once", () => {
    const run = vi.fn();
    runAfterFrame(run);
    frame(0);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it("comes a moment later where nothing is drawn", () => {
    const run = vi.fn();
    runAfterFrame(run);
    vi.advanceTimersByTime(249);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("is given up before and after the frame", () => {
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
