// Waiting for pictures before they are printed.

/** The number of pictures that are waited for at the same time. */
const AT_ONCE = 4;

/** Waits until all pictures are decoded, and returns the number of those that can't be. Calls `ondone` after each step. */
export async function decodeAll(pictures: readonly HTMLImageElement[], ondone: (done: number) => void, signal: AbortSignal): Promise<number> {
  let [next, done, failed] = [0, 0, 0];
  const work = async () => {
    for (let picture = pictures[next++]; picture !== undefined && !signal.aborted; picture = pictures[next++]) {
      try {
        await picture.decode();
      } catch {
        failed += 1;
      }
      ondone((done += 1));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
