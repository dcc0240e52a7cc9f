// Waiting that can be ended: for somebody who looks, and for a while.

/** Resolves at once where somebody looks, else when somebody does. */
export function untilSeen(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const ending = new AbortController();
    const end = () => {
      if (document.hidden && !signal.aborted) return;
      ending.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", end, { signal: ending.signal });
    signal.addEventListener("abort", end, { signal: ending.signal });
  });
}

/** Resolves after a time in milliseconds, or when it is ended. */
export function rest(time: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const ending = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ending.abort();
      resolve();
    };
    const timer = setTimeout(end, time);
    signal.addEventListener("abort", end, { signal: ending.signal });
  });
}
