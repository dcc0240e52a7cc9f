import { describe, expect, it, vi } from "vitest";
import type { Backend } from "./backend";
import type { ApiEvents } from "./events";
import { createHttpBackend } from "./http";
import { canonicalPath, ROOT_PATH } from "./names";
import type { RequestOptions, Send } from "./request";

const noEvents: ApiEvents = { on: () => () => {}, onConnection: () => () => {} };

function backendAnswering(response: Response): { backend: Backend; send: ReturnType<typeof vi.fn<Send>> } {
  const send = vi.fn<Send>(() => Promise.resolve(response));
  return { backend: createHttpBackend(send, noEvents), send };
}

function optionsOf(send: ReturnType<typeof vi.fn<Send>>): RequestOptions {
  return send.mock.calls[0]?.[2] ?? {};
}

describe("unsaved text", () => {
  const body = { path: "/p", base_revision: 1, seq: 1 };

  it.each([
    ["short", 1_000, true],
    ["too long for a browser to send for a page that is gone", 20_000, false],
  ])("that is %s", async (_, length, keepalive) => {
    const { backend, send } = backendAnswering(new Response(null, { status: 204 }));
    await backend.autosave.put("P1", "tab", { ...body, source: "あ".repeat(length) });
    expect(optionsOf(send).keepalive).toBe(keepalive);
  });

  it("is forgotten up to what was seen of it", async () => {
    const { backend, send } = backendAnswering(new Response(null, { status: 204 }));
    await backend.autosave.remove("J1", 7);
    expect(send).toHaveBeenCalledExactlyOnceWith("DELETE", "/api/journals/J1", { query: { seq: 7 } });
  });
});

describe("locks", () => {
  const header = { "X-Page-Lock": "expire=2026-11-20T00:00:00Z token=01ABC" };

  it("reads the lock of a new page from its header", async () => {
    const { backend } = backendAnswering(Response.json({ id: "P1" }, { status: 201, headers: header }));
    expect(await backend.pages.create("/a")).toEqual({
      id: "P1",
      lock: { token: "01ABC", expire: "2026-11-20T00:00:00Z" },
    });
  });

  it("proves itself with the token when it renews", async () => {
    const { backend, send } = backendAnswering(new Response(null, { status: 204, headers: header }));
    await backend.locks.renew("P1", "01OLD");
    expect(send).toHaveBeenCalledWith("PUT", "/api/pages/P1/lock", { headers: { "X-Lock-Authentication": "token=01OLD" } });
  });

  it("gives it back with a message that outlives the page", () => {
    const sendBeacon = vi.fn(() => true);
    Object.defineProperty(navigator, "sendBeacon", { configurable: true, value: sendBeacon });
    const { backend, send } = backendAnswering(new Response(null, { status: 204 }));
    expect(backend.locks.releaseOnClose("P1", "01ABC")).toBe(true);
    expect(sendBeacon).toHaveBeenCalledExactlyOnceWith("/api/pages/P1/lock/release", "01ABC");
    expect(send).not.toHaveBeenCalled();
    Reflect.deleteProperty(navigator, "sendBeacon");
  });

  it("takes its own lock over only when told", async () => {
    const { backend, send } = backendAnswering(new Response(null, { status: 204, headers: header }));
    await backend.locks.acquire("P1");
    await backend.locks.acquire("P1", true);
    expect(send.mock.calls.map(([, , options]) => options?.query)).toEqual([{ take_over: undefined }, { take_over: true }]);
  });

  it("does not take an answer without a lock for one", async () => {
    const { backend } = backendAnswering(new Response(null, { status: 204 }));
    await expect(backend.locks.acquire("P1")).rejects.toHaveProperty("code", "internal");
  });
});

describe("pages", () => {
  it("reads a source with what its headers say", async () => {
    const headers = { ETag: '"3.0-abc"', "X-Page-Revision": "3", "X-Page-Deleted": "true" };
    const { backend } = backendAnswering(new Response("# 題", { headers }));
    expect(await backend.pages.source("P1")).toEqual({ text: "# 題", revision: 3, etag: '"3.0-abc"', deleted: true });
  });

  it("saves Markdown under a lock", async () => {
    const { backend, send } = backendAnswering(Response.json({ revision: 4, warnings: [] }, { headers: { ETag: '"4"' } }));
    expect(await backend.pages.save("P1", "text", { token: "T", tab: "tab-1" })).toEqual({
      revision: 4,
      warnings: [],
      etag: '"4"',
    });
    expect(optionsOf(send)).toMatchObject({
      query: { tab: "tab-1" },
      headers: { "X-Lock-Authentication": "token=T" },
      text: { body: "text", type: "text/markdown; charset=utf-8" },
    });
  });

  it("saves without a lock against what it has read", async () => {
    const { backend, send } = backendAnswering(Response.json({ revision: 4, warnings: [] }));
    await backend.pages.save("P1", "text", { etag: '"3.0"' });
    expect(optionsOf(send).headers).toEqual({ "If-Match": '"3.0"' });
  });
});

it("tells the states of a picture apart by its version", async () => {
  const entries = [
    { name: "a.jpg", kind: "picture", id: "abc", version: "abc-17979cfe3d85cd15" },
    { name: "b", kind: "folder" },
  ];
  const { backend } = backendAnswering(Response.json({ entries }));
  const listing = await backend.folders.list({ root: "R1", path: canonicalPath("") });
  expect(listing.entries.map(({ id }) => id)).toEqual(["abc-17979cfe3d85cd15", undefined]);
});

it("names a thumbnail so that its answer never changes", () => {
  const { backend } = backendAnswering(new Response());
  const url = backend.folders.thumbUrl({ root: "R1", path: canonicalPath("旅/a b.jpg"), id: "abc", size: 256 });
  expect(url).toBe("/thumb?root=R1&path=%E6%97%85/a%20b.jpg&size=256x256&mode=shrink&format=jpg&v=abc");
  const ahead = backend.folders.thumbUrl({ root: "R1", path: canonicalPath("a"), id: "abc", size: 256, ahead: true });
  expect(ahead).toBe("/thumb?root=R1&path=a&size=256x256&mode=shrink&format=jpg&v=abc&priority=next");
});

it("names the folders that were looked at by their bytes", async () => {
  const { backend, send } = backendAnswering(new Response(null, { status: 204 }));
  const folder = { root: "R1", path: canonicalPath("caf%E9/旅") };
  await backend.users.visitFolder(folder);
  await backend.users.forgetFolder(folder);
  const query = { root: "R1", path: { raw: "caf%E9/%E6%97%85" } };
  expect(send.mock.calls).toEqual([
    ["POST", "/api/users/me/folders", { query }],
    ["DELETE", "/api/users/me/folders", { query }],
  ]);
});

describe("what is done with files", () => {
  const done = { operation: "O1", done: 1, skipped: 0, failed: [] };
  const latin = { root: "R1", path: canonicalPath("caf%E9/a.jpg") };
  const placeFields = { root: "R1", path_bytes: btoa("caf\xe9/a.jpg") };
  const plain = { root: "R1", path: canonicalPath("旅/b.jpg") };

  it("renames by the bytes of a name where it is not UTF-8", async () => {
    const { backend, send } = backendAnswering(Response.json(done));
    const names = [
      { from: { name: "a.jpg" }, to: "b.jpg" },
      { from: { name: "caf\ufffd", name_bytes: btoa("caf\xe9") }, to: "café" },
    ];
    expect(await backend.files.rename({ root: "R1", path: canonicalPath("旅") }, names)).toEqual(done);
    const json = {
      root: "R1",
      path: "旅",
      names: [
        { from: "a.jpg", from_bytes: undefined, to: "b.jpg" },
        { from: "caf\ufffd", from_bytes: btoa("caf\xe9"), to: "café" },
      ],
    };
    expect(send).toHaveBeenCalledExactlyOnceWith("POST", "/api/files/rename", { json });
  });

  it.each(["move", "copy"] as const)("can %s them, with what becomes of those that are there", async (how) => {
    const { backend, send } = backendAnswering(Response.json(done));
    await backend.files[how]([latin, plain], { root: "R2", path: ROOT_PATH }, "keep_both");
    const json = { items: [placeFields, { root: "R1", path: "旅/b.jpg" }], to: { root: "R2", path: "" }, existing: "keep_both" };
    expect(send).toHaveBeenCalledExactlyOnceWith("POST", `/api/files/${how}`, { json });
  });

  it("puts them into the bin", async () => {
    const { backend, send } = backendAnswering(Response.json(done));
    await backend.files.bin([latin]);
    expect(send).toHaveBeenCalledExactlyOnceWith("POST", "/api/files/bin", { json: { items: [placeFields] } });
  });

  it("pictures are rated and tagged, with what is not meant left out", async () => {
    const { backend, send } = backendAnswering(Response.json({ marked: [], skipped: 0, failed: [] }));
    await backend.files.mark([latin], { rating: 0, add: ["sea"] });
    const json = { items: [placeFields], rating: 0, add_tags: ["sea"], remove_tags: undefined, caption: undefined, caption_if_absent: undefined };
    expect(send).toHaveBeenCalledExactlyOnceWith("POST", "/api/files/marks", { json });
  });

  it("a caption is sent for pictures that have none", async () => {
    const { backend, send } = backendAnswering(Response.json({ marked: [], skipped: 0, failed: [] }));
    await backend.files.mark([latin], { caption: "A cat" });
    expect(optionsOf(send).json).toMatchObject({ caption: "A cat", caption_if_absent: true });
  });

  it("marks and tags are asked for by encoded paths", async () => {
    const { backend, send } = backendAnswering(Response.json({ tags: [{ tag: "sea", count: 2 }] }));
    expect(await backend.files.tags(latin, { beneath: true })).toEqual([{ tag: "sea", count: 2 }]);
    expect(send.mock.calls[0]?.slice(0, 2)).toEqual(["GET", "/api/files/tags"]);
    expect(optionsOf(send).query).toEqual({ beneath: true, root: latin.root, path: { raw: latin.path } });
  });

  it.each([
    [false, null],
    [true, "true"],
  ])("undoes it, partly: %s", async (partly, query) => {
    const { backend, send } = backendAnswering(Response.json(done));
    await backend.files.undo("O/1", partly);
    expect(send).toHaveBeenCalledExactlyOnceWith("POST", "/api/files/operations/O%2F1/undo", { query: { partly: query } });
  });
});
