// What the server tells of one page's lock while it is written: by whomever it was taken, ended or broken.
import type { ApiEvents } from "../api/events";

/** Who has the lock now, and until when; null where nobody has it, or nobody knows. */
export interface LockNews {
  user: string | null;
  expire: string | null;
}

const UNKNOWN: LockNews = { user: null, expire: null };

/** Tells one piece of news after another, and at once whether there can be any; returns how to stop. */
export function hearOfLock(
  events: Pick<ApiEvents, "on" | "onConnection">,
  pageId: () => string,
  heard: (news: LockNews) => Promise<void>,
  connection: (connected: boolean) => void,
): () => void {
  let last = Promise.resolve();
  const tell = (news: LockNews) => {
    last = last.then(() => heard(news));
  };
  const stops = [
    events.on("page.locked", ({ page_id, user_name, expire }) => {
      if (page_id === pageId()) tell({ user: user_name, expire });
    }),
    events.on("page.unlocked", ({ page_id }) => {
      if (page_id === pageId()) tell(UNKNOWN);
    }),
    events.on("resync", () => tell(UNKNOWN)),
    events.onConnection(connection),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
