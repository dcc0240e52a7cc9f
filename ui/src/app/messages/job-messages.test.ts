import { expect, it } from "vitest";
import type { Job } from "../../api/backend";
import type { ShownJob } from "../../jobs";
import { JobMessages, jobNotification } from "./job-messages";
import { Toasts } from "./toasts.svelte";

const job = (id: string, summary: object, more: Partial<ShownJob> = {}): ShownJob => ({
  id,
  kind: "verify_hashes",
  state: "done",
  done: 0,
  total: 0,
  started_at: "2026-11-01T00:00:00Z",
  result: { summary } as unknown as NonNullable<Job["result"]>,
  ...more,
});

function saying() {
  const toasts = new Toasts();
  const visited: string[] = [];
  const messages = new JobMessages({ toast: (message, options) => toasts.show(message, options), navigate: (address) => void visited.push(address) });
  return { messages, toasts, visited, said: () => toasts.items.map(({ message, tone }) => [tone, message]) };
}

it.each<[string, object, string[]]>([
  ["nothing", { ok: 3 }, ["good", "Hash verification finished. 3 files verified · No problems found"]],
  ["damage", { ok: 3, changed: 2, corrupt: 1 }, ["bad", "Hash verification finished. Corrupt: 1 · Changed: 2 · 3 files verified"]],
  ["a loss", { ok: 0, missing: 1 }, ["bad", "Hash verification finished. Missing: 1 · 0 files verified"]],
  ["an edit", { ok: 0, changed: 1 }, ["warn", "Hash verification finished. Changed: 1 · 0 files verified"]],
])("reports a verification that found %s", (_, summary, message) => {
  const { messages, said } = saying();
  messages.ended(job("H1", summary), false);
  expect(said()).toEqual([message]);
});

it("removes a job's start message at its end", () => {
  const { messages, said } = saying();
  messages.started("H1", "Verifying this folder…");
  expect(said()).toEqual([["plain", "Verifying this folder…"]]);
  messages.ended(job("H1", { ok: 1 }), true);
  expect(said()).toEqual([]);
});

const notified = (ended_at: string | null, more: Partial<ShownJob> = {}) =>
  jobNotification(job("B1", {}, { kind: "backup", ended_at, ...more }));

it("notifies of the end of a long job", () => {
  expect(notified("2026-11-01T00:00:05Z")).toEqual({ title: "Backup finished", body: "", address: "/settings#backup" });
});

it("a notification has the reason of a failure", () => {
  const error = { code: "disk_full", message: "the disk is full" } as NonNullable<Job["error"]>;
  const notification = notified("2026-11-01T00:10:00Z", { state: "failed", error });
  expect(notification?.title).toBe("Backup failed");
  expect(notification?.body).not.toBe("");
});

it("short and cancelled jobs need no notification", () => {
  expect(notified("2026-11-01T00:00:04Z")).toBeNull();
  expect(notified("2026-11-01T00:10:00Z", { state: "cancelled" })).toBeNull();
  expect(notified(null)).toBeNull();
});

it("shows only a kind's latest job and report", async () => {
  const { messages, toasts, visited, said } = saying();
  messages.ended(job("H1", { ok: 0, corrupt: 1 }), false);
  messages.ended(job("H2", { ok: 0, corrupt: 2 }), false);
  expect(said()).toEqual([["bad", "Hash verification finished. Corrupt: 2 · 0 files verified"]]);
  await toasts.items[0]?.action?.run();
  expect(visited).toEqual(["/hashes?part=report&job=H2"]);
});
