// Waits that can be aborted: for a visible document, and for a duration.

/** Resolves once the document is visible. */
export function untilVisible(signal: AbortSignal): Promise<void> {
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

/** Resolves after a time in milliseconds, or when aborted. */
export function delay(time: number, signal: AbortSignal): Promise<void> {
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
