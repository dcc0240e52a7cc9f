// The browsers that are signed in.
import { type ApiClient, data } from "./client";
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

export function sessionsApi(client: ApiClient): SessionsApi {
  return {
    list: async (signal) => (await data(client.GET("/api/sessions", { signal }))).items,
    async end(id) {
      await client.DELETE("/api/sessions/{id}", { params: { path: { id } } });
    },
    endOthers: async () => (await data(client.DELETE("/api/sessions"))).ended,
    async signOut() {
      await client.DELETE("/api/sessions/current");
    },
  };
}
