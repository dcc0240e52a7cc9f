import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runWhenIdle } from "./idle-task";

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

// The test document does not support it.
describe("without idle callbacks", () => {
  it("waits for the next frame", () => {
    runWhenIdle(work, 1_000);
    vi.advanceTimersByTime(999);
    draw();
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect(work).toHaveBeenCalledOnce();
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });

  it("runs at its deadline without frames", () => {
    runWhenIdle(work, 1_000);
    vi.advanceTimersByTime(1_000);
    expect([work.mock.calls.length, frames]).toEqual([1, []]);
  });

  it("can be cancelled before and after the frame", () => {
    const leave = runWhenIdle(work, 1_000);
    leave();
    expect(frames).toEqual([]);
    const leaveLater = runWhenIdle(work, 1_000);
    draw();
    leaveLater();
    vi.runAllTimers();
    expect(work).not.toHaveBeenCalled();
  });
});

describe("with idle callbacks", () => {
  let requests: { run: (left: number, didTimeout?: boolean) => void; timeout: number | undefined }[];
  const cancelled = vi.fn();

  beforeEach(() => {
    requests = [];
    cancelled.mockReset();
    vi.stubGlobal("requestIdleCallback", (run: IdleRequestCallback, options?: IdleRequestOptions) =>
      requests.push({
        run: (left, didTimeout = false) => run({ didTimeout, timeRemaining: () => left }),
        timeout: options?.timeout,
      }),
    );
    vi.stubGlobal("cancelIdleCallback", cancelled);
  });

  it("waits for enough time until its deadline", () => {
    runWhenIdle(work, 1_000);
    vi.advanceTimersByTime(400);
    requests[0]?.run(1);
    expect(work).not.toHaveBeenCalled();
    expect(requests.map(({ timeout }) => timeout)).toEqual([1_000, 600]);
    requests[1]?.run(3);
    expect(work).toHaveBeenCalledOnce();
    expect(requests).toHaveLength(2);
  });

  it("always runs at its deadline", () => {
    runWhenIdle(work, 1_000);
    requests[0]?.run(0, true);
    expect(work).toHaveBeenCalledOnce();
  });

  it("can be cancelled between its steps", () => {
    const leave = runWhenIdle(work, 1_000);
    requests[0]?.run(1);
    leave();
    expect(cancelled).toHaveBeenCalledExactlyOnceWith(2);
  });
});
