// The browsers that are signed in.
import { type ApiClient, data } from "./transport/client";
import type { components } from "./schema";

export type Session = components["schemas"]["Session"];

export type SessionsApi = ReturnType<typeof sessionsApi>;

export function sessionsApi(client: ApiClient) {
  return {
    /** The latest first. */
    list: async (signal?: AbortSignal) => (await data(client.GET("/api/sessions", { signal }))).items,
    /** Signs one browser out. */
    async end(id: string) {
      await client.DELETE("/api/sessions/{id}", { params: { path: { id } } });
    },
    /** Signs all other browsers out; returns their number. */
    endOthers: async () => (await data(client.DELETE("/api/sessions"))).ended,
    /** Signs this browser out. */
    async signOut() {
      await client.DELETE("/api/sessions/current");
    },
  };
}
