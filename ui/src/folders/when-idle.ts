// What is worth doing only while nothing else is to be done: a frame that one would see is never late for it.

/** As long as a piece of such work may take, in milliseconds: with less left, the next frame would wait for it. */
const ENOUGH = 3;

/** However much there is to do, it is done after `latest`, in milliseconds. Returns how to leave it be. */
export function whenIdle(work: () => void, latest: number): () => void {
  if (typeof requestIdleCallback !== "function") return afterFrame(work, latest);
  const end = performance.now() + latest;
  let id: number;
  const wait = () => {
    id = requestIdleCallback((idle) => (idle.didTimeout || idle.timeRemaining() >= ENOUGH ? work() : wait()), {
      // None at all would be no limit.
      timeout: Math.max(1, end - performance.now()),
    });
  };
  wait();
  return () => cancelIdleCallback(id);
}

/** WebKit has no word for it: there, what is to be drawn is drawn first. A page that is not seen draws nothing. */
function afterFrame(work: () => void, latest: number): () => void {
  let drawn: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    cancelAnimationFrame(frame);
    clearTimeout(drawn);
    clearTimeout(last);
  };
  const run = () => {
    leave();
    work();
  };
  const frame = requestAnimationFrame(() => (drawn = setTimeout(run)));
  const last = setTimeout(run, latest);
  return leave;
}
