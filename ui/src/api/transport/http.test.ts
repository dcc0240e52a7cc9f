import { describe, expect, it, vi } from "vitest";
import type { Backend } from "../backend";
import type { ApiEvents } from "../events/events";
import { createHttpBackend } from "./http";
import { canonicalPath, ROOT_PATH } from "../names";
import { recordRequests } from "./request-recorder";

const noEvents: ApiEvents = { on: () => () => {}, onConnection: () => () => {} };

function backendAnswering(response: Response) {
  const { fetcher, sent } = recordRequests(() => response.clone());
  const backend: Backend = createHttpBackend(fetcher, noEvents);
  /** The options of the first request. */
  const init = () => fetcher.mock.calls[0]?.[1];
  const headers = () => Object.fromEntries(new Headers(init()?.headers));
  return { backend, sent, init, headers };
}

describe("unsaved text", () => {
  const body = { path: "/p", base_revision: 1, seq: 1 };

  it.each([
    ["short", 1_000, true],
    ["too long for a browser to send for a page that is gone", 20_000, false],
  ])("that is %s", async (_, length, keepalive) => {
    const { backend, init } = backendAnswering(new Response(null, { status: 204 }));
    await backend.autosave.put("P1", "tab", { ...body, source: "あ".repeat(length) });
    expect(init()?.keepalive).toBe(keepalive);
  });

  it("is deleted up to the given version", async () => {
    const { backend, sent } = backendAnswering(new Response(null, { status: 204 }));
    await backend.autosave.remove("J1", 7);
    expect(sent()).toEqual([["DELETE", "/api/journals/J1?seq=7"]]);
  });
});

describe("locks", () => {
  const header = { "X-Page-Lock": "expire=2026-11-20T00:00:00Z token=01ABC" };

  it("reads a new page's lock from its header", async () => {
    const { backend } = backendAnswering(Response.json({ id: "P1" }, { status: 201, headers: header }));
    expect(await backend.pages.create("/a")).toEqual({
      id: "P1",
      lock: { token: "01ABC", expire: "2026-11-20T00:00:00Z" },
    });
  });

  it("renews with the token", async () => {
    const { backend, sent, headers } = backendAnswering(new Response(null, { status: 204, headers: header }));
    await backend.locks.renew("P1", "01OLD");
    expect(sent()).toEqual([["PUT", "/api/pages/P1/lock"]]);
    expect(headers()).toEqual({ "x-lock-authentication": "token=01OLD" });
  });

  it("releases with a request that outlives the page", () => {
    const sendBeacon = vi.fn(() => true);
    Object.defineProperty(navigator, "sendBeacon", { configurable: true, value: sendBeacon });
    const { backend, sent } = backendAnswering(new Response(null, { status: 204 }));
    expect(backend.locks.releaseOnClose("P1", "01ABC")).toBe(true);
    expect(sendBeacon).toHaveBeenCalledExactlyOnceWith("/api/pages/P1/lock/release", "01ABC");
    expect(sent()).toEqual([]);
    Reflect.deleteProperty(navigator, "sendBeacon");
  });

  it("takes over its own lock only on request", async () => {
    const { backend, sent } = backendAnswering(new Response(null, { status: 204, headers: header }));
    await backend.locks.acquire("P1");
    await backend.locks.acquire("P1", true);
    expect(sent()).toEqual([
      ["POST", "/api/pages/P1/lock"],
      ["POST", "/api/pages/P1/lock?take_over=true"],
    ]);
  });

  it("rejects an answer without a lock", async () => {
    const { backend } = backendAnswering(new Response(null, { status: 204 }));
    await expect(backend.locks.acquire("P1")).rejects.toHaveProperty("code", "internal");
  });
});

describe("pages", () => {
  it("reads a source with its headers' data", async () => {
    const headers = { ETag: '"3.0-abc"', "X-Page-Revision": "3", "X-Page-Deleted": "true" };
    const { backend } = backendAnswering(new Response("# 題", { headers }));
    expect(await backend.pages.source("P1")).toEqual({ text: "# 題", revision: 3, etag: '"3.0-abc"', deleted: true });
  });

  it("reads an empty source", async () => {
    const { backend } = backendAnswering(new Response("", { headers: { "Content-Length": "0", "X-Page-Revision": "2" } }));
    expect(await backend.pages.source("P1")).toMatchObject({ text: "", revision: 2 });
  });

  it("saves Markdown under a lock", async () => {
    const { backend, sent, headers } = backendAnswering(Response.json({ revision: 4, warnings: [] }, { headers: { ETag: '"4"' } }));
    expect(await backend.pages.save("P1", "text", { token: "T", tab: "tab-1" })).toEqual({
      revision: 4,
      warnings: [],
      etag: '"4"',
    });
    expect(sent()).toEqual([["PUT", "/api/pages/P1/source?tab=tab-1", "text"]]);
    expect(headers()).toEqual({ "content-type": "text/markdown; charset=utf-8", "x-lock-authentication": "token=T" });
  });

  it("saves without a lock by the version read", async () => {
    const { backend, headers } = backendAnswering(Response.json({ revision: 4, warnings: [] }));
    await backend.pages.save("P1", "text", { etag: '"3.0"' });
    expect(headers()).toEqual({ "content-type": "text/markdown; charset=utf-8", "if-match": '"3.0"' });
  });
});

it("identifies a picture by its version", async () => {
  const entries = [
    { name: "a.jpg", kind: "picture", id: "abc", version: "abc-17979cfe3d85cd15" },
    { name: "b", kind: "folder" },
  ];
  const { backend } = backendAnswering(Response.json({ entries }));
  const listing = await backend.folders.list({ root: "R1", path: canonicalPath("") });
  expect(listing.entries.map(({ id }) => id)).toEqual(["abc-17979cfe3d85cd15", undefined]);
});

it("a thumbnail's address includes the picture's version", () => {
  const { backend } = backendAnswering(new Response());
  const url = backend.folders.thumbUrl({ root: "R1", path: canonicalPath("旅/a b.jpg"), id: "abc", size: 256 });
  expect(url).toBe("/thumb?root=R1&path=%E6%97%85/a%20b.jpg&size=256x256&mode=shrink&format=jpg&v=abc");
  const ahead = backend.folders.thumbUrl({ root: "R1", path: canonicalPath("a"), id: "abc", size: 256, ahead: true });
  expect(ahead).toBe("/thumb?root=R1&path=a&size=256x256&mode=shrink&format=jpg&v=abc&priority=next");
});

it("a picture's address names the engine where needed", () => {
  const { folders } = backendAnswering(new Response()).backend;
  const engines = () => ["a.jpg", "a.png", "a.WebP", "a.avif", "a.gif", "a.mp4"].map((name) => new URL(folders.imageUrl("R1", canonicalPath(name)), "http://x").searchParams.get("engine"));
  expect(engines()).toEqual([null, null, "other", null, null, null]);
  vi.spyOn(navigator, "vendor", "get").mockReturnValue("Apple Computer, Inc.");
  expect(engines()).toEqual(["webkit", "webkit", "webkit", "webkit", null, null]);
});

it("names visited folders by their bytes", async () => {
  const { backend, sent } = backendAnswering(new Response(null, { status: 204 }));
  const folder = { root: "R1", path: canonicalPath("caf%E9/旅") };
  await backend.users.visitFolder(folder);
  await backend.users.forgetFolder(folder);
  const address = "/api/users/me/folders?root=R1&path=caf%E9/%E6%97%85";
  expect(sent()).toEqual([
    ["POST", address],
    ["DELETE", address],
  ]);
});

describe("file operations", () => {
  const done = { operation: "O1", done: 1, skipped: 0, failed: [] };
  const latin = { root: "R1", path: canonicalPath("caf%E9/a.jpg") };
  const placeFields = { root: "R1", path_bytes: btoa("caf\xe9/a.jpg") };
  const plain = { root: "R1", path: canonicalPath("旅/b.jpg") };

  it("rename non-UTF-8 names by bytes", async () => {
    const { backend, sent } = backendAnswering(Response.json(done));
    const names = [
      { from: { name: "a.jpg" }, to: "b.jpg" },
      { from: { name: "caf\ufffd", name_bytes: btoa("caf\xe9") }, to: "café" },
    ];
    expect(await backend.files.rename({ root: "R1", path: canonicalPath("旅") }, names)).toEqual(done);
    const body = {
      root: "R1",
      path: "旅",
      names: [
        { from: "a.jpg", to: "b.jpg" },
        { from: "caf\ufffd", from_bytes: btoa("caf\xe9"), to: "café" },
      ],
    };
    expect(sent()).toEqual([["POST", "/api/files/rename", body]]);
  });

  it.each(["move", "copy"] as const)("can %s files, with a choice for conflicts", async (kind) => {
    const { backend, sent } = backendAnswering(Response.json(done));
    await backend.files[kind]([latin, plain], { root: "R2", path: ROOT_PATH }, "keep_both");
    const body = { items: [placeFields, { root: "R1", path: "旅/b.jpg" }], to: { root: "R2", path: "" }, existing: "keep_both" };
    expect(sent()).toEqual([["POST", `/api/files/${kind}`, body]]);
  });

  it("move files to the trash", async () => {
    const { backend, sent } = backendAnswering(Response.json(done));
    await backend.files.bin([latin]);
    expect(sent()).toEqual([["POST", "/api/files/bin", { items: [placeFields] }]]);
  });

  it("rate and tag pictures, without unset values", async () => {
    const { backend, sent } = backendAnswering(Response.json({ marked: [], skipped: 0, failed: [] }));
    await backend.files.mark([latin], { rating: 0, add: ["sea"] });
    const body = { items: [placeFields], rating: 0, add_tags: ["sea"] };
    expect(sent()).toEqual([["POST", "/api/files/marks", body]]);
  });

  it("a caption is sent for uncaptioned pictures only", async () => {
    const { backend, sent } = backendAnswering(Response.json({ marked: [], skipped: 0, failed: [] }));
    await backend.files.mark([latin], { caption: "A cat", keepsCaption: true });
    expect(sent()).toEqual([["POST", "/api/files/marks", { items: [placeFields], caption: "A cat", caption_if_absent: true }]]);
  });

  it("an undo of marks discards an empty sidecar", async () => {
    const { backend, sent } = backendAnswering(Response.json({ marked: [], skipped: 0, failed: [] }));
    await backend.files.mark([latin], { rating: 0, discardEmpty: true });
    expect(sent()).toEqual([["POST", "/api/files/marks", { items: [placeFields], rating: 0, discard_empty: true }]]);
  });

  it("marks and tags are requested by encoded paths", async () => {
    const { backend, sent } = backendAnswering(Response.json({ tags: [{ tag: "sea", count: 2 }] }));
    expect(await backend.files.tags(latin, { beneath: true })).toEqual([{ tag: "sea", count: 2 }]);
    expect(sent()).toEqual([["GET", "/api/files/tags?root=R1&path=caf%E9/a.jpg&beneath=true"]]);
  });

  it.each([
    [false, ""],
    [true, "?partly=true"],
  ])("are undone, partly: %s", async (partly, query) => {
    const { backend, sent } = backendAnswering(Response.json(done));
    await backend.files.undo("O/1", partly);
    expect(sent()).toEqual([["POST", `/api/files/operations/O%2F1/undo${query}`]]);
  });
});

describe("bodies of files", () => {
  const file = new Blob(["a"], { type: "text/x-other" });

  it("uploads a file to a page as bytes", async () => {
    const { backend, sent, headers } = backendAnswering(Response.json({ id: "A1", file_name: "a b (2).jpg" }, { status: 201 }));
    expect(await backend.assets.upload("P1", "a b.jpg", file)).toBe("a b (2).jpg");
    expect(sent()).toEqual([["POST", "/api/pages/P1/assets/a%20b.jpg?free_name=true", file]]);
    expect(headers()).toEqual({ "content-type": "application/octet-stream" });
  });

  it.each([
    ["a file", { file }, file, "application/zip"],
    ["a granted file", { grant: "G1" }, { grant: "G1" }, "application/json"],
  ])("imports an archive from %s", async (_, source, body, type) => {
    const { backend, sent, headers } = backendAnswering(Response.json({ id: "J1" }, { status: 202 }));
    expect(await backend.archive.import(source, "skip")).toBe("J1");
    expect(sent()).toEqual([["POST", "/api/import?on_conflict=skip", body]]);
    expect(headers()).toEqual({ "content-type": type });
  });

  it.each([
    [null, []],
    ["G1", [{ grant: "G1" }]],
  ])("backs up to the grant %s", async (grant, body) => {
    const { backend, sent } = backendAnswering(Response.json({ id: "J1" }, { status: 202 }));
    expect(await backend.archive.backup(grant)).toBe("J1");
    expect(sent()).toEqual([["POST", "/api/backup", ...body]]);
  });
});

it("reads a page's history as a text", async () => {
  const { backend, sent } = backendAnswering(new Response("# 1"));
  expect(await backend.revisions.markdown("P1", { before: 7 })).toBe("# 1");
  expect(sent()).toEqual([["GET", "/api/pages/P1/history?before=7"]]);
});

it("requests the address of a picture unchanged", async () => {
  const { backend, sent } = backendAnswering(new Response("not JSON"));
  await backend.folders.probe("/thumb?root=R1&path=caf%E9/{a}&v=abc");
  expect(sent()).toEqual([["GET", "/thumb?root=R1&path=caf%E9/{a}&v=abc"]]);
});

it("requests part of a folder by its filters", async () => {
  const { backend, sent } = backendAnswering(Response.json({ entries: [] }));
  const path = canonicalPath("caf%E9");
  await backend.folders.list({ root: "R1", path, has_caption: "false", kind: "picture", around: canonicalPath("%FF.jpg"), listing: null, may_grow: true });
  const [[method, address] = []] = sent();
  const query = String(address).split("?")[1]?.split("&").sort();
  expect([method, query]).toEqual(["GET", ["around=%FF.jpg", "has_caption=false", "kind=picture", "may_grow=true", "path=caf%E9", "root=R1"]]);
});
