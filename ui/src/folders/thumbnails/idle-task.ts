// Runs work only while the engine is idle, so that it delays no visible frame.
import { runAfterFrame } from "../../view/after-frame";

/**
 * The maximum duration of a piece of such work, in milliseconds: with less time left, it would delay the next frame.
 */
const MIN_IDLE_MS = 3;

/**
 * Runs the work when the engine is idle, but after `latest` milliseconds at the latest. Returns a function that cancels
 * it.
 */
export function runWhenIdle(work: () => void, latest: number): () => void {
  // WebKit has no idle callback.
  if (typeof requestIdleCallback !== "function") return runAfterFrame(work, latest);
  const end = performance.now() + latest;
  let id: number;
  const wait = () => {
    id = requestIdleCallback((idle) => (idle.didTimeout || idle.timeRemaining() >= MIN_IDLE_MS ? work() : wait()), {
      // A timeout of zero would mean no limit.
      timeout: Math.max(1, end - performance.now()),
    });
  };
  wait();
  return () => cancelIdleCallback(id);
}
