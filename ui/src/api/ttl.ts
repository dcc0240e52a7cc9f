// Expiry of cached thumbnails and folder indexes (docs/API.md, docs/spec/ttl.md).
import { type ApiClient, data } from "./client";
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

export interface TtlApi {
  state(signal?: AbortSignal): Promise<TtlState>;
  /** Sets a root's own policy; without a root (null), the default policy. */
  setPolicy(root: string | null, policy: TtlPolicy): Promise<RootTtlPolicy>;
  /** Makes a root follow the default policy again. */
  followDefault(root: string): Promise<void>;
  /**
   * The amount that would expire now after so many days, in a root, or in all groups that follow the default policy
   * (null).
   */
  preview(days: number, root: string | null, signal?: AbortSignal): Promise<TtlAmount>;
  /** Starts a job that marks and removes expired items; returns its id. */
  run(): Promise<string>;
  /** Retries a failed removal at once, or all of them (null). */
  retry(key: string | null): Promise<void>;
}

export function ttlApi(client: ApiClient): TtlApi {
  return {
    state: (signal) => data(client.GET("/api/ttl", { signal })),
    setPolicy: (root, policy) =>
      root === null
        ? data(client.PUT("/api/ttl/default", { body: policy }))
        : data(client.PUT("/api/roots/{root}/ttl-policy", { params: { path: { root } }, body: policy })),
    async followDefault(root) {
      await client.DELETE("/api/roots/{root}/ttl-policy", { params: { path: { root } } });
    },
    preview: (ttl_days, root, signal) =>
      data(client.GET("/api/ttl/preview", { params: { query: { ttl_days, root: root ?? undefined } }, signal })),
    run: async () => (await data(client.POST("/api/ttl/run"))).id,
    async retry(key) {
      await client.POST("/api/ttl/retry", { body: key === null ? {} : { key } });
    },
  };
}
