// The events of one page's lock while the page is written: acquired, released or broken, by any user.
import type { ApiEvents } from "../../api/events/events";

/** The holder of the lock and its expiry; null if there is none, or it is unknown. */
export interface LockHolder {
  user: string | null;
  expire: string | null;
}

const UNKNOWN: LockHolder = { user: null, expire: null };

/** Reports each event, and at once whether there can be any; returns a function that stops it. */
export function onLockEvents(
  events: Pick<ApiEvents, "on" | "onConnection">,
  pageId: () => string,
  onchange: (holder: LockHolder) => Promise<void>,
  connection: (connected: boolean) => void,
): () => void {
  let last = Promise.resolve();
  const report = (holder: LockHolder) => {
    last = last.then(() => onchange(holder));
  };
  const stops = [
    events.on("page.locked", ({ page_id, user_name, expire }) => {
      if (page_id === pageId()) report({ user: user_name, expire });
    }),
    events.on("page.unlocked", ({ page_id }) => {
      if (page_id === pageId()) report(UNKNOWN);
    }),
    events.on("resync", () => report(UNKNOWN)),
    events.onConnection(connection),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
