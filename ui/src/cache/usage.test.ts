import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend, CacheState, Job } from "../api/backend";
import { setLocale } from "../i18n";
import { FakeBackend } from "../testing/fake-backend";
import { JobWatch } from "../jobs";
import { StubHost } from "../testing/stub-host";
import CacheView from "./CacheView.svelte";

let host: StubHost;
let fake: FakeBackend;
let jobs: Job[];

const GC: Job = { id: "J1", kind: "cache_gc", state: "running", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z" };

beforeEach(() => {
  host = new StubHost();
  fake = new FakeBackend();
  jobs = [];
});

afterEach(() => setLocale("en"));

function open(): void {
  const api: Backend["jobs"] = {
    list: () => Promise.resolve(jobs),
    get: (id) => Promise.resolve({ ...GC, ...jobs.find((job) => job.id === id) }),
    pause: vi.fn(() => Promise.resolve(GC)),
    cancel: vi.fn(() => Promise.resolve()),
  };
  const watch = new JobWatch({ events: fake.events, jobs: api });
  watch.listen();
  render(CacheView, { backend: { cache: fake.cache, folders: fake.folders, ttl: fake.ttl, events: fake.events, jobs: api, desktop: null }, watch, host, oncounts: () => {} });
}

/** Changes the state, and notifies all listeners. */
function now(changes: Partial<CacheState>): void {
  fake.cacheNow = { ...fake.cacheNow, ...changes };
  fake.emit("cache.stats", {});
}

function emitJob(job: Partial<Job>): void {
  const current = { ...GC, ...job };
  jobs = [current];
  const { id, kind, state, done, total } = current;
  fake.emit("job.progress", { job_id: id, kind, state, done, total });
}

const text = (id: string) => screen.getByTestId(id).textContent.replace(/\s+/g, " ").trim();

it("shows usage and results, and follows changes", async () => {
  fake.cacheNow.counters = { hits: 1200, misses: 30, generated: 28, failed: 2, evicted: 7 };
  now({ used_bytes: 2 ** 28, files: 12_000 });
  open();
  await screen.findByTestId("cache-used");
  expect(text("cache-used")).toBe("256 MiB of 1 GiB used 12,000 thumbnails");
  const meter = screen.getByRole("meter", { name: "Space used" });
  expect([meter.ariaValueNow, meter.ariaValueMax]).toEqual(["268435456", "1073741824"]);
  const counts = ["hits", "misses", "hit-ratio", "generated", "failures", "evicted"].map((name) => text(`cache-${name}`));
  expect(counts).toEqual(["1,200", "30", "98%", "28", "2", "7"]);
  expect(text("cache-status")).toBe("");
  now({ files: 1, queue: { len: 3, capacity: 1024, workers: 1 } });
  await waitFor(() => expect(text("cache-used")).toBe("256 MiB of 1 GiB used 1 thumbnail 3 thumbnails waiting to be created"));
});

it.each<[string, Partial<CacheState>, string]>([
  ["empty", {}, "No thumbnails yet."],
  ["being counted", { scanning: true }, "Still counting; there may be more."],
  ["over the mark", { files: 9, used_bytes: Math.ceil(0.9 * 2 ** 30) }, "More than 90% is used. Old thumbnails are being deleted."],
  ["at the mark", { files: 9, used_bytes: Math.floor(0.9 * 2 ** 30) }, ""],
])("reports that it is %s", async (_, state, words) => {
  now(state);
  open();
  await screen.findByTestId("cache-status");
  expect(text("cache-status")).toBe(words);
});

it("reports a failed read, and retries", async () => {
  setLocale("ja");
  fake.fault = "storage_failed";
  open();
  const words = "サムネイルの使用量を調べられませんでした。ディスクに書き込めませんでした。これまでに保存したものは無事です。";
  expect((await screen.findByTestId("cache-failed")).textContent).toBe(words);
  fake.fault = null;
  await userEvent.click(screen.getByTestId("cache-retry"));
  await screen.findByTestId("cache-used");
  expect(screen.queryByTestId("cache-failed")).toBeNull();
});

it("keeps the last values without the server", async () => {
  open();
  await screen.findByTestId("cache-used");
  fake.fault = "unreachable";
  fake.emit("cache.stats", {});
  await waitFor(() => expect(fake.cache.stats).toHaveBeenCalledTimes(2));
  expect(text("cache-used")).toBe("0 bytes of 1 GiB used");
});

it("frees space once at a time, with progress", async () => {
  open();
  const button = await screen.findByTestId("cache-gc");
  await userEvent.click(button);
  expect(fake.cache.gc).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(button).toHaveProperty("disabled", true));
  await host.press("m");
  expect(fake.cache.gc).toHaveBeenCalledTimes(1);
  emitJob({ done: 30, total: 40 });
  await waitFor(() => expect(text("job-cache_gc")).toContain("75% done"));
  emitJob({ state: "done", result: { files: 3, bytes: 28_400 } as unknown as Job["result"] });
  await waitFor(() => expect(text("job-cache_gc")).toBe("Deleted 3 thumbnails (27.7 KiB)."));
  expect(button).toHaveProperty("disabled", false);
});

it.each<[Partial<Job>, string]>([
  [{ state: "done", result: { files: 0, bytes: 0 } as unknown as Job["result"] }, "Nothing to delete: there is enough space."],
  [{ state: "cancelled" }, "Stopped. Thumbnails deleted so far are created again when needed."],
  [{ state: "failed", error: { code: "storage_failed", message: "" } }, "Thumbnail cleanup failed. Couldn’t write to the disk. Everything you saved before is safe."],
])("reports the outcome: %o", async (job, words) => {
  open();
  await screen.findByTestId("cache-gc");
  await host.press("m");
  await screen.findByTestId("job-cache_gc");
  emitJob(job);
  await waitFor(() => expect(text("job-cache_gc")).toBe(words));
});

it("explains why space could not be freed", async () => {
  open();
  await screen.findByTestId("cache-gc");
  fake.fault = "unreachable";
  await host.press("m");
  expect(host.toasts).toEqual(["Fumikura isn’t responding. Everything you saved is safe."]);
});

describe("the limit", () => {
  const field = () => screen.getByTestId<HTMLInputElement>("cache-limit");
  const button = () => screen.getByTestId<HTMLButtonElement>("cache-limit-change");

  it("is changed in the chosen unit, at once", async () => {
    open();
    await screen.findByTestId("cache-limit");
    expect([field().value, screen.getByTestId<HTMLSelectElement>("cache-limit-unit").value, button().disabled]).toEqual(["1", "GiB", true]);
    await userEvent.clear(field());
    await userEvent.type(field(), "500");
    await userEvent.selectOptions(screen.getByTestId("cache-limit-unit"), "MiB");
    await userEvent.click(button());
    expect(fake.cache.setLimit).toHaveBeenCalledWith(500 * 2 ** 20);
    await waitFor(() => expect(text("cache-used")).toBe("0 bytes of 500 MiB used"));
    expect(host.toasts.map((toast) => toast.replace(/\s/g, " "))).toEqual(["The limit is 500 MiB now."]);
  });

  it.each(["0", "1048577"])("out of range (%s GiB) is never sent", async (typed) => {
    open();
    await userEvent.clear(await screen.findByTestId("cache-limit"));
    await userEvent.type(field(), typed);
    expect([button().disabled, text("cache-limit-about")]).toEqual([true, "Enter a size from 1 MiB to 1 PiB."]);
  });

  it("can't be changed when the environment sets it", async () => {
    fake.cacheNow.limit_fixed = true;
    open();
    await screen.findByTestId("cache-limit");
    expect([field().disabled, button().disabled]).toEqual([true, true]);
    expect(text("cache-limit-about")).toBe("The environment variable ESTELLE_CACHE_LIMIT sets the limit. It can’t be changed here.");
  });
});
