// Expiry of cached thumbnails and folder indexes (docs/API.md, docs/spec/ttl.md).
import { type ApiClient, data } from "./transport/client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type TtlState = Schemas["TtlState"];
export type TtlPolicy = Schemas["TtlPolicy"];
export type RootTtlPolicy = Schemas["RootTtlPolicy"];
export type TtlGroup = Schemas["TtlGroup"];
export type TtlAmount = Schemas["TtlAmount"];
export type TtlAge = Schemas["TtlAge"];
export type TtlCounts = Schemas["TtlCounts"];
export type TtlFailure = Schemas["TtlFailure"];
export type TtlRun = Schemas["TtlRun"];

/** The limits of a policy, in days. */
export const TTL_DAYS = { min: 1, max: 3_650 } as const;

export type TtlApi = ReturnType<typeof ttlApi>;

export function ttlApi(client: ApiClient) {
  return {
    state: (signal?: AbortSignal) => data(client.GET("/api/ttl", { signal })),
    /** Sets a root's own policy; without a root (null), the default policy. */
    setPolicy: (root: string | null, policy: TtlPolicy) =>
      root === null
        ? data(client.PUT("/api/ttl/default", { body: policy }))
        : data(client.PUT("/api/roots/{root}/ttl-policy", { params: { path: { root } }, body: policy })),
    /** Makes a root follow the default policy again. */
    async followDefault(root: string) {
      await client.DELETE("/api/roots/{root}/ttl-policy", { params: { path: { root } } });
    },
    /**
     * The amount that would expire now after so many days, in a root, or in all groups that follow the default policy
     * (null).
     */
    preview: (ttl_days: number, root: string | null, signal?: AbortSignal) =>
      data(client.GET("/api/ttl/preview", { params: { query: { ttl_days, root: root ?? undefined } }, signal })),
    /** Starts a job that marks and removes expired items; returns its id. */
    run: async () => (await data(client.POST("/api/ttl/run"))).id,
    /** Retries a failed removal at once, or all of them (null). */
    async retry(key: string | null) {
      await client.POST("/api/ttl/retry", { body: key === null ? {} : { key } });
    },
  };
}
