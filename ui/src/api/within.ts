// How long somebody waits for an answer that may never come.

/** What the work gives, or null once so many milliseconds are over; the work goes on. */
export async function within<T>(limit: number, work: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), limit)));
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
