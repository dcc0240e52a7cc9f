import { expect, it, vi } from "vitest";
import { commandAssets, commandCache, commandLocks, commandRevisions, commandTtl, createCommand, type Invoke } from "./commands";
import type { Observer } from "./request";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };

function answering(answer: () => Promise<unknown>) {
  const invoke = vi.fn<Invoke>(answer);
  const observe = vi.fn<Observer>();
  return { invoke, observe, command: createCommand(observe, invoke) };
}

/** Rejects as Tauri does: with the command's error as it is, which is no `Error`. */
function refusing(reason: unknown) {
  return answering(() => {
    throw reason;
  });
}

it("sends the contract's command names", async () => {
  const { command, invoke } = answering(() => Promise.resolve(LOCK));
  expect(await commandLocks(command).acquire("P1", true)).toEqual(LOCK);
  await commandLocks(command).renew("P1", LOCK.token);
  await commandRevisions(command).rollback("P1", 3, LOCK.token);
  await commandRevisions(command).list("P1", { before: 7 });
  await commandAssets(command).orphans({ offset: 100, limit: 101 });
  await commandAssets(command).setOwner("A1", "P1");
  expect(invoke.mock.calls).toEqual([
    ["lock_acquire", { page_id: "P1", take_over: true }],
    ["lock_renew", { page_id: "P1", token: LOCK.token }],
    ["revision_rollback", { page_id: "P1", rollback_to: 3, token: LOCK.token }],
    ["revision_list", { page_id: "P1", before: 7, limit: undefined }],
    ["asset_zombies", { offset: 100, limit: 101 }],
    ["asset_set_owner", { asset_id: "A1", page_id: "P1" }],
  ]);
});

it("returns the id of the job that frees space", async () => {
  const { command, invoke } = answering(() => Promise.resolve({ id: "J1" }));
  expect(await commandCache(command).gc()).toBe("J1");
  expect(invoke.mock.calls).toEqual([["cache_gc", undefined]]);
});

it("sets the policy of a root, or the default one", async () => {
  const { command, invoke } = answering(() => Promise.resolve({ id: "J2" }));
  const policy = { enabled: true, ttl_days: 90, remove_gone: false };
  await commandTtl(command).setPolicy("R1", policy);
  await commandTtl(command).setPolicy(null, policy);
  expect(await commandTtl(command).run()).toBe("J2");
  expect(invoke.mock.calls).toEqual([
    ["ttl_policy_set", { root: "R1", policy }],
    ["ttl_policy_set", { policy }],
    ["ttl_run", undefined],
  ]);
});

it("reports errors as over HTTP", async () => {
  const body = { code: "locked", message: "Ben is editing this page.", user_name: "Ben", expire: LOCK.expire };
  const { command, observe } = refusing(body);
  const acquired = commandLocks(command).acquire("P1");
  await expect(acquired).rejects.toMatchObject({ code: "locked", details: { userName: "Ben", expire: LOCK.expire } });
  expect(observe.mock.calls).toMatchObject([[{ method: "POST", error: { code: "locked" } }]]);
});

it("distinguishes window system errors from the server's", async () => {
  const { command } = refusing("Command lock_status not allowed by ACL");
  await expect(commandLocks(command).status("P1")).rejects.toMatchObject({ code: "internal" });
});
