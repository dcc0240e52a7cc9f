// What the server tells by itself: server-sent events, held by one tab and shared with the others.
// `resync` means that something may have been missed: ask again for whatever is on the screen.
import type { components } from "./schema";

type ServerEvent = components["schemas"]["Event"];

export type EventName = ServerEvent["type"];

/** What each event carries, by its name. */
export type EventMap = { [K in EventName]: Omit<Extract<ServerEvent, { type: K }>, "type"> };

export type Handler<K extends EventName> = (data: EventMap[K]) => void;

export type ConnectionHandler = (connected: boolean) => void;

export interface ApiEvents {
  /** Returns how to stop listening. */
  on<K extends EventName>(name: K, handler: Handler<K>): () => void;
  /** Told at once if it is known, then at each change. Returns how to stop listening. */
  onConnection(handler: ConnectionHandler): () => void;
}
