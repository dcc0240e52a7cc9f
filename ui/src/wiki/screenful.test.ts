import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { afterFrame, blocksOfScreen } from "./screenful";

const block = (length: number) => ({ html: "x".repeat(length) });

it("fills a screen with the first blocks, and is all of a short page", () => {
  expect(blocksOfScreen([])).toBe(0);
  expect(blocksOfScreen([block(100), block(100)])).toBe(2);
  expect(blocksOfScreen([block(20_000), block(4_000), block(100)])).toBe(2);
  expect(blocksOfScreen([block(100_000), block(1)])).toBe(1);
});

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
    afterFrame(run);
    frame(0);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it("comes a moment later where nothing is drawn", () => {
    const run = vi.fn();
    afterFrame(run);
    vi.advanceTimersByTime(249);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("is given up before and after the frame", () => {
    const run = vi.fn();
    afterFrame(run)();
    vi.advanceTimersByTime(1_000);
    const stop = afterFrame(run);
    frame(0);
    stop();
    vi.advanceTimersByTime(1_000);
    expect(run).not.toHaveBeenCalled();
  });
});
