// The first frames that the window draws.

/** A system that can’t show a frame draws only one or two more. */
const FRAMES = 5;

/** Waits until a few frames have been drawn. A hidden page draws none, and is not waited for. */
export async function whenDrawn(): Promise<void> {
  for (let frame = 0; frame < FRAMES && !document.hidden; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
