// When the rest of a long page follows: after its beginning stands on the screen.

/** How long the rest waits where nothing is drawn, as in a tab that nobody looks at, in milliseconds. */
const PATIENCE = 250;

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
