// Server-sent events, received by one tab and shared with the others. `resync` means that events may have been missed:
// everything on the screen must be read again.
import type { components } from "../schema";

type ServerEvent = components["schemas"]["Event"];

export type EventName = ServerEvent["type"];

/** The payload of each event, by its name. */
export type EventMap = { [K in EventName]: Omit<Extract<ServerEvent, { type: K }>, "type"> };

export type Handler<K extends EventName> = (data: EventMap[K]) => void;

export type ConnectionHandler = (connected: boolean) => void;

export interface ApiEvents {
  /** Returns a function that stops listening. */
  on<K extends EventName>(name: K, handler: Handler<K>): () => void;
  /** Called at once if the state is known, then at each change. Returns a function that stops listening. */
  onConnection(handler: ConnectionHandler): () => void;
}
