// How much of a long page is enough for its first picture: the rest follows when that stands on the screen.
import type { RenderedBlock } from "../markdown";

/** More characters of HTML than the tallest screen has room for. */
const SCREENFUL = 24_000;
/** How long the rest waits where nothing is drawn, as in a tab that nobody looks at, in milliseconds. */
const PATIENCE = 250;

/** So many of the first blocks fill a screen. */
export function blocksOfScreen(blocks: readonly Pick<RenderedBlock, "html">[]): number {
  let length = 0;
  const last = blocks.findIndex(({ html }) => (length += html.length) >= SCREENFUL);
  return last < 0 ? blocks.length : last + 1;
}

/** Runs when the next frame has been drawn; returns how to give it up. */
export function afterFrame(run: () => void): () => void {
  const [frame, timer] = [requestAnimationFrame(() => then()), setTimeout(() => end(), PATIENCE)];
  let task: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    clearTimeout(task);
  };
  // A frame is drawn after its callbacks.
  const then = () => (task = setTimeout(end));
  const end = () => {
    stop();
    run();
  };
  return stop;
}
