// Expiry of the cache in memory for the tests.
import { vi } from "vitest";
import { ApiError, type ApiErrorCode } from "../api/errors";
import type { TtlAmount, TtlApi, TtlCounts, TtlGroup, TtlPolicy, TtlState } from "../api/ttl";

export const NO_COUNTS: TtlCounts = { error_blobs: 0, error_manifests: 0, expired_blobs: 0, expired_manifests: 0, processing_blobs: 0, processing_manifests: 0 };
export const NO_EXPIRY: TtlPolicy = { enabled: false, ttl_days: 90, remove_gone: false };
const NOTHING: TtlAmount = { artifacts: 0, bytes: 0 };

export class FakeTtl implements TtlApi {
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
  /** While set, every call fails with it. */
  fault: ApiErrorCode | null = null;

  readonly state = vi.fn<TtlApi["state"]>(() => this.#answer(() => this.now));
  readonly setPolicy = vi.fn<TtlApi["setPolicy"]>((root, policy) =>
    this.#answer(() => {
      if (root === null) this.now = { ...this.now, default: policy, groups: this.now.groups.map((group) => (group.is_default ? { ...group, policy } : group)) };
      else this.#change(root, { policy, is_default: false });
      return { remove_gone: false, ...policy, is_default: root === null };
    }),
  );
  readonly followDefault = vi.fn<TtlApi["followDefault"]>((root) => this.#answer(() => this.#change(root, { policy: this.now.default, is_default: true })));
  readonly preview = vi.fn<TtlApi["preview"]>(() => this.#answer(() => this.previewNow));
  readonly run = vi.fn<TtlApi["run"]>(() => this.#answer(() => "J2"));
  readonly retry = vi.fn<TtlApi["retry"]>(() => this.#answer(() => {}));

  #change(root: string, changes: Partial<TtlGroup>): void {
    this.now = { ...this.now, groups: this.now.groups.map((group) => (group.group === root ? { ...group, ...changes } : group)) };
  }

  async #answer<T>(value: () => T): Promise<T> {
    await Promise.resolve();
    if (this.fault) throw new ApiError(this.fault, 500, "");
    return value();
  }
}

/** A group of the cache; by default a root without thumbnails and with a policy of its own. */
export function group(id: string, more: Partial<TtlGroup> = {}): TtlGroup {
  return { group: id, path: `/home/aya/${id}`, away: false, policy: NO_EXPIRY, is_default: true, blobs: NOTHING, manifests: NOTHING, ...more };
}
