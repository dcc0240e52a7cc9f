// The access tokens of other programs.
import { type ApiClient, data } from "./transport/client";
import type { components } from "./schema";

export type AccessToken = components["schemas"]["AccessToken"];
export type TokenScope = components["schemas"]["TokenScope"];
export type NewAccessToken = components["schemas"]["NewAccessToken"];

export type TokensApi = ReturnType<typeof tokensApi>;

export function tokensApi(client: ApiClient) {
  return {
    /** The latest first. */
    list: async (signal?: AbortSignal) => (await data(client.GET("/api/tokens", { signal }))).items,
    /** Creates a token; returns it, and it is never shown again. */
    create: async (body: NewAccessToken) => (await data(client.POST("/api/tokens", { body }))).token,
    async revoke(id: string) {
      await client.DELETE("/api/tokens/{id}", { params: { path: { id } } });
    },
  };
}
