// Changes of any page, debounced.
import type { ApiEvents } from "../../api/events/events";

/** Several pages often change together. In milliseconds. */
const QUIET_PERIOD = 200;

/** Calls `run` a moment after pages have changed. Returns a function that stops it. */
export function onPagesChanged(events: Pick<ApiEvents, "on">, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(run, QUIET_PERIOD);
  };
  const stops = [events.on("page.changed", soon), events.on("resync", soon)];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
