// A time limit for an answer that may never arrive.

/** The result of the work, or null after so many milliseconds; the work continues. */
export async function withTimeout<T>(limit: number, work: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), limit)));
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
