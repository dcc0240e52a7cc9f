// Runs work after the next frame, so that it delays nothing that is visible.

/** The longest wait if nothing is drawn, as in a background tab, in milliseconds. */
const PATIENCE = 250;

/** Runs after the next frame has been drawn, but after `patience` milliseconds at the latest; returns a function that cancels it. */
export function runAfterFrame(run: () => void, patience: number = PATIENCE): () => void {
  const [frame, timer] = [requestAnimationFrame(() => then()), setTimeout(() => end(), patience)];
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
