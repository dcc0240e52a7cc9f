// What is worth doing only while nothing else is to be done: a frame that one would see is never late for it.

/** However much there is to do, it is done after `latest`, in milliseconds. Returns how to leave it be. */
export function whenIdle(work: () => void, latest: number): () => void {
  // WebKit has no word for it: there, what is to be drawn is drawn first.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(() => work(), { timeout: latest });
  return () => cancelIdleCallback(id);
}
