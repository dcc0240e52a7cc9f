import { render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { FolderHashes } from "./folder-hashes.svelte";
import PictureHash from "./PictureHash.svelte";

let backend: FakeBackend;
let host: StubHost;
const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });
const folder = { root: "R1", path: canonicalPath("2026") };

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.jpg"), entry("b.jpg"), entry("c.jpg")];
});

const badge = (name: string) => {
  const cell = screen.getAllByTestId("cell").find((one) => one.dataset["name"] === name);
  return within(cell as HTMLElement).queryByTestId("hash-badge")?.textContent.trim() ?? null;
};

it("cells show the states from one request", async () => {
  backend.hashRecords.badgesNow = { states: { "a.jpg": "corrupt", "b.jpg": "new", "c.jpg": "touched" }, new: 1, recorded: 2 };
  openPictures({ place: placeOf("/pictures/R1/2026"), backend, host });
  await screen.findAllByTestId("hash-badge");
  expect([badge("a.jpg"), badge("b.jpg"), badge("c.jpg")]).toEqual(["Corrupt", "Not recorded", null]);
  expect(backend.hashes.badges).toHaveBeenCalledExactlyOnceWith(folder, expect.any(AbortSignal));
});

function following() {
  const onjob = vi.fn<(id: string, words: string) => void>();
  const hashes = new FolderHashes(backend, onjob);
  return { hashes, onjob, stop: hashes.follow(folder) };
}

it("verified files are counted, not marked", async () => {
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok", "b.jpg": "ok", "c.jpg": "corrupt" }, new: 0, recorded: 3 };
  openPictures({ place: placeOf("/pictures/R1/2026"), backend, host });
  await screen.findAllByTestId("hash-badge");
  expect([badge("a.jpg"), badge("c.jpg")]).toEqual([null, "Corrupt"]);
  expect(host.statusItems.find(({ id }) => id === "verified")?.text).toBe("2 of 3 files verified");
});

it("a folder without records shows no states", async () => {
  backend.hashRecords.badgesNow = { states: { "a.jpg": "new" }, new: 1, recorded: 0 };
  const { hashes } = following();
  await waitFor(() => expect(backend.hashes.badges).toHaveBeenCalledTimes(1));
  await Promise.resolve();
  expect(hashes.stateOf(entry("a.jpg"))).toBeNull();
});

it("a picture has its files' worst state", async () => {
  const part = { kind: "other" as const, size: 1, mtime: "2026-11-20T00:00:00Z", id: null };
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok", "a.cr3": "changed", "a.mov": "corrupt", "b.jpg": "ok", "b.cr3": "ok" }, new: 0, recorded: 5 };
  const pair = (name: string, ...others: string[]) => entry(`${name}.jpg`, { companions: others.map((other) => ({ ...part, part: "raw" as const, name: `${name}.${other}` })) });
  const { hashes } = following();
  await waitFor(() => expect(hashes.badgeOf(pair("a", "cr3", "mov"))).toBe("corrupt"));
  expect(hashes.badgeOf(pair("b", "cr3"))).toBeNull();
  expect(hashes.stateOf(pair("a", "cr3"))).toBe("ok");
});

it("pictures by folder show their folders' states", async () => {
  backend.entries = [entry("a.jpg"), entry("a.jpg", { folder: "deeper" })];
  backend.on("GET /api/hashes/badges", ({ query }) => ({ states: { "a.jpg": query.path === "2026" ? ("ok" as const) : ("corrupt" as const) }, new: 0, recorded: 1 }));
  openPictures({ place: placeOf("/pictures/R1/2026?group=folder"), backend, host });
  await screen.findByTestId("hash-badge");
  const cells = screen.getAllByTestId("cell").map((cell) => within(cell).queryByTestId("hash-badge")?.textContent.trim() ?? null);
  expect(cells).toEqual([null, "Corrupt"]);
});

it("states are read again after a job", async () => {
  const { hashes } = following();
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok" }, new: 0, recorded: 1 };
  const progress = { job_id: "H1", kind: "verify_hashes" as const, done: 1, total: 2 };
  backend.emit("job.progress", { ...progress, state: "running" });
  backend.emit("job.progress", { ...progress, kind: "backup", state: "done" });
  expect(backend.hashes.badges).toHaveBeenCalledTimes(1);
  backend.emit("job.progress", { ...progress, state: "done" });
  await waitFor(() => expect(hashes.stateOf(entry("a.jpg"))).toBe("ok"));
  expect(backend.hashes.badges).toHaveBeenCalledTimes(2);
});

it("many changes in the folder are one request", async () => {
  vi.useFakeTimers();
  try {
    following();
    for (let change = 0; change < 5; change++) backend.emit("folder.changed", { root: "R1", path: "2026" });
    backend.emit("folder.changed", { root: "R1", path: "2025" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(backend.hashes.badges).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

it("a closed folder requests nothing", async () => {
  backend.hashRecords.badgesNow = { states: { "a.jpg": "ok" }, new: 0, recorded: 1 };
  const { hashes, stop } = following();
  await waitFor(() => expect(hashes.stateOf(entry("a.jpg"))).toBe("ok"));
  stop();
  backend.emit("job.progress", { job_id: "H1", kind: "verify_hashes", state: "done", done: 1, total: 1 });
  expect(hashes.stateOf(entry("a.jpg"))).toBeNull();
  expect(backend.hashes.badges).toHaveBeenCalledTimes(1);
});

it("the menu records and verifies the folder", async () => {
  const onjob = vi.fn<(id: string, words: string) => void>();
  openPictures({ place: placeOf("/pictures/R1/2026"), backend, host, onjob });
  await screen.findAllByTestId("cell");
  await host.act("hash-record-folder");
  await host.act("hash-verify-folder");
  expect(backend.hashes.record).toHaveBeenCalledExactlyOnceWith(folder);
  expect(backend.hashes.verify).toHaveBeenCalledExactlyOnceWith({ place: folder });
  expect(onjob.mock.calls).toEqual([["H1", "Recording this folder…"], ["H2", "Verifying this folder…"]]);
});

it("a damaged picture links to its record", () => {
  render(PictureHash, { entry: entry("a b.jpg"), ...folder, state: "corrupt" });
  expect(screen.getByTestId("picture-hash").textContent).toContain("Restore it from a good copy.");
  expect(screen.getByTestId("picture-hash-open").getAttribute("href")).toBe("/hashes?root=R1&path=2026/a%20b.jpg");
});
