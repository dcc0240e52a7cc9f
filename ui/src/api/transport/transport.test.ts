import { expect, it, vi } from "vitest";
import type { ApiEvents } from "../events/events";
import { createHttpBackend } from "./http";
import { canonicalPath } from "../names";
import { recordRequests } from "./request-recorder";
import type { Observer } from "./request";
import { createCommand, type Invoke } from "./transport";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };
const noEvents: ApiEvents = { on: () => () => {}, onConnection: () => () => {} };

/** The backend of a window whose commands give this answer. */
function windowAnswering(answer: () => Promise<unknown>, overHttp: () => Response = () => Response.json({})) {
  const invoke = vi.fn<Invoke>(answer);
  const observe = vi.fn<Observer>();
  const { fetcher, sent } = recordRequests(overHttp);
  return { invoke, observe, sent, backend: createHttpBackend(fetcher, noEvents, createCommand(observe, invoke)) };
}

/** Rejects as Tauri does: with the command's error as it is, which is no `Error`. */
function windowRefusing(reason: unknown) {
  return windowAnswering(() => {
    throw reason;
  });
}

it("runs changes as the contract's commands", async () => {
  const { backend, invoke, sent } = windowAnswering(() => Promise.resolve(LOCK));
  expect(await backend.locks.acquire("P1", true)).toEqual(LOCK);
  expect(await backend.locks.renew("P1", LOCK.token)).toEqual(LOCK);
  await backend.revisions.rollback("P1", 3, LOCK.token);
  await backend.revisions.compact("P1", 2);
  await backend.assets.rename("A1", "a.txt");
  await backend.assets.setOwner("A1", "P1");
  expect(invoke.mock.calls).toEqual([
    ["lock_acquire", { page_id: "P1", take_over: true }],
    ["lock_renew", { page_id: "P1", token: LOCK.token }],
    ["revision_rollback", { page_id: "P1", rollback_to: 3, token: LOCK.token }],
    ["revision_compact", { page_id: "P1", keep_from: 2 }],
    ["asset_rename", { asset_id: "A1", file_name: "a.txt" }],
    ["asset_set_owner", { asset_id: "A1", page_id: "P1" }],
  ]);
  expect(sent()).toEqual([]);
});

it("registers over HTTP, with the browser's language", async () => {
  const { backend, invoke, sent } = windowAnswering(() => Promise.resolve(null));
  await backend.users.create("花子");
  expect(invoke).not.toHaveBeenCalled();
  expect(sent()).toHaveLength(1);
});

it("runs the contract's reads as commands", async () => {
  const { backend, invoke } = windowAnswering(() => Promise.resolve([]));
  const { signal } = new AbortController();
  await backend.assets.orphans({ offset: 100, limit: 101 }, signal);
  await backend.revisions.list("P1", { before: 7 });
  await backend.hashes.list({ place: { root: "R1", path: canonicalPath("caf%E9") } });
  await backend.hashes.list({ place: { root: "R1", path: canonicalPath("%E6%97%85") } });
  expect(invoke.mock.calls).toEqual([
    ["asset_zombies", { offset: 100, limit: 101 }],
    ["revision_list", { page_id: "P1", before: 7 }],
    ["hash_list", { root: "R1", path_bytes: "Y2Fm6Q==" }],
    ["hash_list", { root: "R1", path: "旅" }],
  ]);
});

it("other reads, texts and abortable requests use HTTP", async () => {
  const { backend, invoke, sent } = windowAnswering(() => Promise.resolve(null));
  const { signal } = new AbortController();
  await backend.users.me();
  await backend.pages.save("P1", "# a", { token: LOCK.token });
  await backend.vision.scan({ asset: "A1" }, "text", { language: "en", signal });
  await backend.autosave.put("P1", "tab", { path: "/p", base_revision: 1, seq: 1, source: "a" });
  expect(invoke).not.toHaveBeenCalled();
  expect(sent().map(([method, address]) => `${String(method)} ${String(address)}`)).toEqual([
    "GET /api/users/me",
    "PUT /api/pages/P1/source",
    "POST /api/vision/scan",
    "PUT /api/journal/P1?tab=tab",
  ]);
});

it("sets a root's policy, or the default", async () => {
  const policy = { enabled: true, ttl_days: 90, remove_gone: false };
  const { backend, invoke } = windowAnswering(() => Promise.resolve({ ...policy, is_default: false }));
  await backend.ttl.setPolicy("R1", policy);
  await backend.ttl.setPolicy(null, policy);
  expect(invoke.mock.calls).toEqual([
    ["ttl_policy_set", { root: "R1", policy }],
    ["ttl_default_set", { policy }],
  ]);
});

it("reports errors as over HTTP", async () => {
  const body = { code: "locked", message: "Ben is editing this page.", user_name: "Ben", expire: LOCK.expire };
  const { backend, observe } = windowRefusing(body);
  await expect(backend.locks.acquire("P1")).rejects.toMatchObject({ code: "locked", details: { userName: "Ben", expire: LOCK.expire } });
  expect(observe.mock.calls).toMatchObject([[{ method: "POST", error: { code: "locked" } }]]);
});

it("distinguishes window system errors from the server's", async () => {
  const { backend } = windowRefusing("Command lock_status not allowed by ACL");
  await expect(backend.locks.status("P1")).rejects.toMatchObject({ code: "internal" });
});

it("rejects an aborted read with its reason", async () => {
  const { backend } = windowAnswering(() => new Promise(() => {}));
  const aborting = new AbortController();
  const read = backend.locks.status("P1", aborting.signal);
  aborting.abort(new DOMException("gone", "AbortError"));
  await expect(read).rejects.toHaveProperty("name", "AbortError");
});
