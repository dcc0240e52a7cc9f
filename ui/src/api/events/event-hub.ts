// A single event stream for all tabs. A browser has six connections to a host, so only the tab that holds a Web Lock
// keeps the stream open; it forwards every event over a BroadcastChannel. When that tab closes, another takes over and
// sends `resync` to all tabs once the server answers, because events may have been missed in between. Events during the
// load of a page are not missed: the stream starts where the page's frame was made, and a tab that finds another one
// leading reads everything again if the last events differ.
import type { ApiEvents, ConnectionHandler, EventMap, EventName, Handler } from "./events";
import { type EventStream, openStream, type StreamOpener } from "./event-stream";

const LOCK = "fumikura-events";
const CHANNEL = "fumikura-events";

type Shared =
  | { type: "event"; name: EventName; data: EventMap[EventName] }
  | { type: "connection"; connected: boolean }
  /** Sent by a new tab to ask for the state. */
  | { type: "hello" }
  /** The answer: the id of the last received event. */
  | { type: "last"; id: string | null };

const RESYNC: Shared = { type: "event", name: "resync", data: {} };

/** The browser's interfaces that the hub uses; a test passes its own. */
export interface HubParts {
  locks: Pick<LockManager, "request"> | undefined;
  channel: Pick<BroadcastChannel, "postMessage" | "addEventListener"> | null;
  open: StreamOpener;
}

/** `since` is the id of the last event before the page's frame was made; null if unknown. */
export function createEventHub(since: string | null, parts: HubParts = browserParts()): ApiEvents {
  const handlers = new Map<EventName, Set<Handler<EventName>>>();
  const connectionHandlers = new Set<ConnectionHandler>();
  let connected: boolean | null = null;
  let stream: EventStream | null = null;
  let last = since;
  let isNew = true;

  const deliver = (message: Shared) => {
    if (message.type === "event") {
      for (const handler of [...(handlers.get(message.name) ?? [])]) handler(message.data);
    } else if (message.type === "connection") {
      if (connected === message.connected) return;
      connected = message.connected;
      for (const handler of [...connectionHandlers]) handler(connected);
    } else if (message.type === "last") {
      if (isNew && message.id !== since) deliver(RESYNC);
      isNew = false;
    } else if (stream !== null) {
      parts.channel?.postMessage({ type: "last", id: last } satisfies Shared);
      if (connected !== null) parts.channel?.postMessage({ type: "connection", connected } satisfies Shared);
    }
  };

  const share = (message: Shared) => {
    deliver(message);
    parts.channel?.postMessage(message);
  };

  const resync = () => share(RESYNC);

  const lead = (tookOver: boolean) => {
    const begin = tookOver ? null : since;
    let isFirst = true;
    isNew = false;
    stream = parts.open(begin, {
      onEvent: (name, data, id) => {
        last = id;
        share({ type: "event", name, data });
      },
      onConnection: (now) => {
        share({ type: "connection", connected: now });
        if (now && isFirst && begin === null) resync();
        isFirst &&= !now;
      },
      onGap: resync,
    });
  };

  parts.channel?.addEventListener("message", (event) => deliver((event as MessageEvent<Shared>).data));
  if (parts.channel && parts.locks) {
    parts.channel.postMessage({ type: "hello" } satisfies Shared);
    void becomeLeader(parts.locks, lead);
  } else {
    lead(false);
  }

  return {
    on<K extends EventName>(name: K, handler: Handler<K>) {
      const set = handlers.get(name) ?? new Set();
      handlers.set(name, set);
      // The map keeps handlers by event name, so each receives only its own events.
      set.add(handler as Handler<EventName>);
      return () => set.delete(handler as Handler<EventName>);
    },
    onConnection(handler) {
      connectionHandlers.add(handler);
      if (connected !== null) handler(connected);
      return () => connectionHandlers.delete(handler);
    },
  };
}

/** Leads now if no other tab does, else as soon as the leading tab has gone. The lock is held until this tab ends. */
async function becomeLeader(locks: Pick<LockManager, "request">, lead: (tookOver: boolean) => void): Promise<void> {
  const forEver = new Promise<never>(() => {});
  const acquired = await locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock === null) return true;
    lead(false);
    return forEver;
  });
  if (acquired) {
    await locks.request(LOCK, () => {
      lead(true);
      return forEver;
    });
  }
}

function browserParts(): HubParts {
  return {
    // Absent outside a secure context; then every tab holds a stream of its own.
    locks: (navigator as Partial<Navigator>).locks,
    channel: typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL),
    open: openStream,
  };
}
