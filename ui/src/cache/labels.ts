// Groups, policies and ages of the cache in words.
import type { TtlAge, TtlAmount, TtlCounts, TtlGroup, TtlPolicy, TtlState } from "../api/ttl";
import { formatBytes, formatDateTime, t } from "../i18n";

/** The folder of a root, or a name for the group's other contents. */
export function nameOfGroup({ group, path }: Pick<TtlGroup, "group" | "path">): string {
  if (group === "assets") return t("cache.group_assets");
  if (group === "unknown") return t("cache.group_unknown");
  return path ?? t("cache.group_closed");
}

export function isEmpty({ blobs, manifests }: TtlGroup): boolean {
  return blobs.artifacts + manifests.artifacts === 0;
}

/** Only the groups of open roots have policies of their own. */
export function hasOwnPolicy({ path }: TtlGroup): boolean {
  return path !== null && path !== undefined;
}

export function policyWords({ enabled, ttl_days: count, remove_gone }: TtlPolicy): string {
  const words = enabled ? t("cache.policy_days", { count }) : t("cache.policy_off");
  return remove_gone ? `${words} · ${t("cache.policy_gone")}` : words;
}

/** A text for each age, in order. */
export function ageWords(ages: readonly TtlAge[]): string[] {
  return ages.map(({ days }, at) => {
    const before = ages[at - 1]?.days ?? 0;
    if (days === null || days === undefined) return t("cache.age_last", { count: before });
    return at === 0 ? t("cache.age_first", { count: days }) : t("cache.age_between", { least: before, most: days });
  });
}

/** Describes the items that are deleted when the groups are cleared. */
export function clearWords(groups: readonly TtlGroup[]): string {
  const blobs = total(groups.map((group) => group.blobs));
  const manifests = total(groups.map((group) => group.manifests));
  return t("cache.clear_message", {
    thumbnails: t("cache.files", { count: blobs.artifacts }),
    indexes: t("cache.indexes", { count: manifests.artifacts }),
    size: formatBytes(blobs.bytes + manifests.bytes),
  });
}

export function total(amounts: readonly TtlAmount[]): TtlAmount {
  const sum = (of: (amount: TtlAmount) => number) => amounts.reduce((so_far, amount) => so_far + of(amount), 0);
  return { artifacts: sum(({ artifacts }) => artifacts), bytes: sum(({ bytes }) => bytes) };
}

/** A warning that no run has succeeded for days; null if one has. */
export function overdueWords({ overdue, last_success }: Pick<TtlState, "overdue" | "last_success">): string | null {
  if (!overdue) return null;
  return last_success ? t("cache.overdue", { time: formatDateTime(last_success) }) : t("cache.overdue_never");
}

/** The number of failed removals. */
export function errorsOf({ error_blobs, error_manifests }: TtlCounts): number {
  return error_blobs + error_manifests;
}
