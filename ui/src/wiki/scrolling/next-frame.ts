// Schedules the rest of a long page: after its beginning is on the screen.

/** The longest wait of the rest if nothing is drawn, as in a background tab, in milliseconds. */
const PATIENCE = 250;

/** Runs after the next frame has been drawn; returns a function that cancels it. */
export function runAfterFrame(run: () => void): () => void {
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
