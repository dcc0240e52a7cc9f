// The expiry of the cache in memory.
import type { TtlAmount, TtlCounts, TtlGroup, TtlPolicy, TtlState } from "../api/ttl";
import type { Server } from "./server";

export const NO_COUNTS: TtlCounts = { error_blobs: 0, error_manifests: 0, expired_blobs: 0, expired_manifests: 0, processing_blobs: 0, processing_manifests: 0 };
export const NO_EXPIRY: TtlPolicy = { enabled: false, ttl_days: 90, remove_gone: false };
const NOTHING: TtlAmount = { artifacts: 0, bytes: 0 };

export class Expiry {
  now: TtlState = {
    counts: NO_COUNTS,
    runs: [],
    collections: [],
    removed: NOTHING,
    workers: 2,
    complete: true,
    clock_jumped_until: null,
    last_success: null,
    overdue: false,
    default: NO_EXPIRY,
    groups: [],
    ages: [],
    failures: [],
    regrets: { evicted: 0, expired: 0 },
  };
  /** The amount that would expire, for every request. */
  previewNow: TtlAmount = NOTHING;

  constructor(server: Server) {
    server.on("GET /api/ttl", () => this.now);
    server.on("PUT /api/ttl/default", ({ body: policy }) => {
      this.now = { ...this.now, default: policy, groups: this.now.groups.map((group) => (group.is_default ? { ...group, policy } : group)) };
      return { remove_gone: false, ...policy, is_default: true };
    });
    server.on("PUT /api/roots/{root}/ttl-policy", ({ path, body: policy }) => {
      this.#change(path.root, { policy, is_default: false });
      return { remove_gone: false, ...policy, is_default: false };
    });
    server.on("DELETE /api/roots/{root}/ttl-policy", ({ path }) => this.#change(path.root, { policy: this.now.default, is_default: true }));
    server.on("GET /api/ttl/preview", () => this.previewNow);
    server.on("POST /api/ttl/run", () => ({ id: "J2" }));
    server.on("POST /api/ttl/retry", () => undefined);
  }

  #change(root: string, changes: Partial<TtlGroup>): void {
    this.now = { ...this.now, groups: this.now.groups.map((group) => (group.group === root ? { ...group, ...changes } : group)) };
  }
}

/** A group of the cache; by default a root without thumbnails and with a policy of its own. */
export function group(id: string, more: Partial<TtlGroup> = {}): TtlGroup {
  return { group: id, path: `/home/aya/${id}`, away: false, policy: NO_EXPIRY, is_default: true, blobs: NOTHING, manifests: NOTHING, ...more };
}
