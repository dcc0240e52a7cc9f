// The browsers that are signed in.
import type { Send } from "./request";
import type { components } from "./schema";

export type Session = components["schemas"]["Session"];

export interface SessionsApi {
  /** The latest first. */
  list(signal?: AbortSignal): Promise<Session[]>;
  /** Signs one browser out. */
  end(id: string): Promise<void>;
  /** Signs all other browsers out; returns their number. */
  endOthers(): Promise<number>;
  /** Signs this browser out. */
  signOut(): Promise<void>;
}

export function sessionsApi(send: Send): SessionsApi {
  return {
    list: async (signal) => ((await (await send("GET", "/api/sessions", { signal })).json()) as { items: Session[] }).items,
    async end(id) {
      await send("DELETE", `/api/sessions/${encodeURIComponent(id)}`);
    },
    endOthers: async () => ((await (await send("DELETE", "/api/sessions")).json()) as { ended: number }).ended,
    async signOut() {
      await send("DELETE", "/api/sessions/current");
    },
  };
}
