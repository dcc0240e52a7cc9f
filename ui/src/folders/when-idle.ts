// What is worth doing only while nothing else is to be done: a frame that one would see is never late for it.

/** However much there is to do, it is done after `latest`, in milliseconds. Returns how to leave it be. */
export function whenIdle(work: () => void, latest: number): () => void {
  if (typeof requestIdleCallback !== "function") return afterFrame(work, latest);
  const id = requestIdleCallback(() => work(), { timeout: latest });
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
