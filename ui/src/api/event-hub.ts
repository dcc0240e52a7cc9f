// One event stream for all tabs. A browser has six connections to a host, so only the tab that holds a Web Lock
// keeps the stream open; it hands every event on over a BroadcastChannel. When that tab goes, another takes over
// and tells everyone to read again (`resync`) when it hears the server, because something may have been missed in
// between; so does a first tab that hears it late.
import type { ApiEvents, ConnectionHandler, EventMap, EventName, Handler } from "./events";
import { type EventStream, openStream, type StreamOpener } from "./event-stream";

const LOCK = "fumikura-events";
const CHANNEL = "fumikura-events";
/** Who has asked for something longer before the first connection, in milliseconds, asks again. */
const LATE = 500;

type Shared =
  | { type: "event"; name: EventName; data: EventMap[EventName] }
  | { type: "connection"; connected: boolean }
  /** A new tab asks how things stand. */
  | { type: "hello" };

/** What of the browser the hub uses; a test brings its own. */
export interface HubParts {
  locks: Pick<LockManager, "request"> | undefined;
  channel: Pick<BroadcastChannel, "postMessage" | "addEventListener"> | null;
  open: StreamOpener;
}

export function createEventHub(parts: HubParts = browserParts()): ApiEvents {
  const handlers = new Map<EventName, Set<Handler<EventName>>>();
  const connectionHandlers = new Set<ConnectionHandler>();
  let connected: boolean | null = null;
  let stream: EventStream | null = null;

  const deliver = (message: Shared) => {
    if (message.type === "event") {
      for (const handler of [...(handlers.get(message.name) ?? [])]) handler(message.data);
    } else if (message.type === "connection") {
      if (connected === message.connected) return;
      connected = message.connected;
      for (const handler of [...connectionHandlers]) handler(connected);
    } else if (stream !== null && connected !== null) {
      parts.channel?.postMessage({ type: "connection", connected } satisfies Shared);
    }
  };

  const share = (message: Shared) => {
    deliver(message);
    parts.channel?.postMessage(message);
  };

  const began = performance.now();
  const resync = () => share({ type: "event", name: "resync", data: {} });

  const lead = (tookOver: boolean) => {
    let isFirst = true;
    stream = parts.open({
      onEvent: (name, data) => share({ type: "event", name, data }),
      onConnection: (now) => {
        share({ type: "connection", connected: now });
        if (!now || !isFirst) return;
        isFirst = false;
        if (tookOver || performance.now() - began > LATE) resync();
      },
      onGap: resync,
    });
  };

  parts.channel?.addEventListener("message", (event) => deliver((event as MessageEvent<Shared>).data));
  if (parts.channel && parts.locks) {
    parts.channel.postMessage({ type: "hello" } satisfies Shared);
    void waitToLead(parts.locks, lead);
  } else {
    lead(false);
  }

  return {
    on<K extends EventName>(name: K, handler: Handler<K>) {
      const set = handlers.get(name) ?? new Set();
      handlers.set(name, set);
      // The map keeps handlers by their own name, so each is only ever given its own events.
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

/** Leads now if nobody does, else as soon as the leading tab has gone. The lock is kept until this tab ends. */
async function waitToLead(locks: Pick<LockManager, "request">, lead: (tookOver: boolean) => void): Promise<void> {
  const forEver = new Promise<never>(() => {});
  const taken = await locks.request(LOCK, { ifAvailable: true }, (lock) => {
    if (lock === null) return true;
    lead(false);
    return forEver;
  });
  if (taken) {
    await locks.request(LOCK, () => {
      lead(true);
      return forEver;
    });
  }
}

function browserParts(): HubParts {
  return {
    // Absent where the page is no secure context; then every tab holds a stream of its own.
    locks: (navigator as Partial<Navigator>).locks,
    channel: typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL),
    open: openStream,
  };
}
