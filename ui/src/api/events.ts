// What the server tells by itself: server-sent events, held by one tab and shared with the others.

/** The events of this version and what they carry. */
export interface EventMap {
  "page.changed": { page_id: string; path: string; revision: number; kind: string };
  "page.locked": { page_id: string; user_name: string; expire: string };
  "page.unlocked": { page_id: string };
  "settings.changed": Record<string, never>;
  /** Something may have been missed: ask again for whatever is on the screen. */
  resync: Record<string, never>;
}

export type EventName = keyof EventMap;
export type Handler<K extends EventName> = (data: EventMap[K]) => void;

export type ConnectionHandler = (connected: boolean) => void;

export interface ApiEvents {
  /** Returns how to stop listening. */
  on<K extends EventName>(name: K, handler: Handler<K>): () => void;
  /** Told at once if it is known, then at each change. Returns how to stop listening. */
  onConnection(handler: ConnectionHandler): () => void;
}
