// The stream of `/api/events` itself: opened, parsed, and opened again when it breaks.
import type { EventMap, EventName } from "./events";
import { address } from "../transport/request";

const ADDRESS = "/api/events";
const MIN_DELAY = 1_000;
const MAX_DELAY = 15_000;
/** All event names: an event without a name here would never be received. */
const NAMES = Object.keys({
  "page.changed": true,
  "page.locked": true,
  "page.unlocked": true,
  "settings.changed": true,
  "folder.changed": true,
  "folder.listed": true,
  "folder.read": true,
  "asset.changed": true,
  "cache.stats": true,
  "albums.changed": true,
  "mirror.changed": true,
  "ttl.run": true,
  "job.progress": true,
  "hashes.found": true,
  "resync": true,
} satisfies Record<EventName, true>) as EventName[];

export interface StreamListener {
  onEvent(name: EventName, data: EventMap[EventName], id: string): void;
  onConnection(connected: boolean): void;
  /** Called if events may have been missed without the server's knowledge. */
  onGap(): void;
}

export interface EventStream {
  close(): void;
}

/** Opens the stream after an event, or at its present end. */
export type StreamOpener = (since: string | null, listener: StreamListener) => EventStream;

/**
 * The browser reconnects by itself with `Last-Event-ID` after a broken connection. If it gives up (an answer that is
 * not 200), a new stream is opened after a growing wait; it has no last id, so that is a gap.
 */
export const openStream: StreamOpener = (since, listener) => {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = MIN_DELAY;

  const open = (isNew: boolean) => {
    source = new EventSource(address(ADDRESS, { since: isNew ? since : null }));
    source.onopen = () => {
      wait = MIN_DELAY;
      listener.onConnection(true);
      if (!isNew) listener.onGap();
      isNew = true;
    };
    source.onerror = () => {
      listener.onConnection(false);
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => open(false), wait);
      wait = Math.min(wait * 2, MAX_DELAY);
    };
    for (const name of NAMES) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        listener.onEvent(name, parse(event.data), event.lastEventId);
      });
    }
  };

  open(true);
  return {
    close() {
      clearTimeout(timer);
      source.close();
    },
  };
};

function parse(data: string): EventMap[EventName] {
  return JSON.parse(data) as EventMap[EventName];
}
