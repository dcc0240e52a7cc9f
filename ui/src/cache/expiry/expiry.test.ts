import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Job } from "../../api/backend";
import { encodePath } from "../../api/names";
import type { TtlState } from "../../api/ttl";
import { setLocale } from "../../i18n";
import { JobWatch } from "../../jobs";
import { FakeBackend } from "../../testing/fake-backend";
import { group, NO_COUNTS, NO_EXPIRY } from "../../testing/expiry";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import CacheView from "../CacheView.svelte";
import OverdueNotice from "./OverdueNotice.svelte";

const RUN: Job = { id: "J2", kind: "ttl_run", state: "running", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z" };
const NINETY = { enabled: true, ttl_days: 90, remove_gone: false };
const MIB = 2 ** 20;

let host: StubHost;
let fake: FakeBackend;
const oncounts = vi.fn();

beforeEach(() => {
  host = new StubHost();
  fake = new FakeBackend();
  fake.expiry.now = {
    ...fake.expiry.now,
    groups: [
      group("R1", { path: "/pictures", blobs: { artifacts: 1_200, bytes: 60 * MIB }, manifests: { artifacts: 12, bytes: 4 * MIB } }),
      group("R2", { path: "/disk", away: true, blobs: { artifacts: 10, bytes: 0 }, is_default: false, policy: { ...NINETY, remove_gone: true } }),
      group("assets", { path: null, blobs: { artifacts: 1, bytes: MIB } }),
      group("unknown", { path: null }),
    ],
  };
});

afterEach(() => setLocale("en"));

async function open(changes: Partial<TtlState> = {}): Promise<void> {
  fake.expiry.now = { ...fake.expiry.now, ...changes };
  const watch = new JobWatch(fake);
  watch.listen();
  render(CacheView, { backend: fake, watch, host, oncounts });
  await screen.findByTestId("cache-groups");
}

const textOf = (element: Element) => element.textContent.replace(/\s+/g, " ").trim();
const text = (id: string) => textOf(screen.getByTestId(id));
const groupOf = (id: string) => within(document.querySelector<HTMLElement>(`[data-group="${id}"]`) ?? document.body);

describe("the groups", () => {
  it("show their contents and expiry", async () => {
    await open();
    expect(screen.getAllByTestId("cache-group").map((one) => textOf(one.querySelector("h3") ?? one))).toEqual(["/pictures", "/disk Unavailable", "Files of pages", "Other thumbnails"]);
    expect(textOf(groupOf("R1").getByTestId("cache-group-facts"))).toBe("64 MiB 1,200 thumbnails 12 folder indexes Default: no expiry");
    expect(textOf(groupOf("R2").getByTestId("cache-group-policy"))).toBe("expires after 90 days · thumbnails of missing pictures are removed");
    expect([groupOf("R2").queryByTestId("cache-group-expiry"), groupOf("assets").queryByTestId("cache-group-expiry")]).toEqual([expect.anything(), null]);
  });

  it("are cleared one by one, naming the loss", async () => {
    await open();
    host.confirmAnswer = false;
    await userEvent.click(groupOf("R1").getByTestId("cache-group-clear"));
    expect(fake.cache.clear).not.toHaveBeenCalled();
    expect(host.questions.map(({ title, message }) => [title, message.replace(/\s/g, " ")])).toEqual([
      ["Clear the cache of “/pictures”?", "1,200 thumbnails and 12 folder indexes (64 MiB) will be deleted. They are created again when needed. Your pictures aren’t affected."],
    ]);
    host.confirmAnswer = true;
    await userEvent.click(groupOf("assets").getByTestId("cache-group-clear"));
    expect(fake.cache.clear).toHaveBeenCalledWith("assets");
    expect(groupOf("unknown").getByTestId<HTMLButtonElement>("cache-group-clear").disabled).toBe(true);
  });

  it("are all cleared by key, reporting the outcome", async () => {
    await open();
    fake.jobsNow = [{ ...RUN, id: "J1", kind: "cache_clear", state: "done", result: { files: 1_213, bytes: 65 * MIB, failed: 2 } as unknown as Job["result"] }];
    await host.press("c");
    expect(host.questions[0]).toMatchObject({ title: "Clear the whole cache?", more: "This folder can’t be reached right now. Its thumbnails can’t be created again until it is back." });
    expect(fake.cache.clear).toHaveBeenCalledWith(null);
    await waitFor(() => expect(text("job-cache_clear")).toBe("Deleted 1,213 items (65 MiB).2 items couldn’t be removed."));
    expect(fake.ttl.state).toHaveBeenCalledTimes(2);
  });
});

describe("a policy", () => {
  const days = () => screen.getByTestId("policy-days");

  it("previews removals before enabling, and is saved", async () => {
    fake.expiry.previewNow = { artifacts: 12_340, bytes: 1_100 * MIB };
    await open();
    await host.press("d");
    await waitFor(() => expect(text("policy-preview")).toBe("With 90 days, 12,340 items (1.07 GiB) would be removed now."));
    await userEvent.clear(days());
    expect([text("policy-preview"), screen.getByTestId<HTMLButtonElement>("policy-save").disabled]).toEqual(["Enter a number from 1 to 3,650.", true]);
    fake.expiry.previewNow = { artifacts: 0, bytes: 0 };
    await userEvent.type(days(), "120");
    await waitFor(() => expect(text("policy-preview")).toBe("With 120 days, nothing would be removed now."));
    expect(fake.ttl.preview.mock.calls.map(([count, root]) => [count, root])).toEqual([[90, null], [120, null]]);
    await userEvent.click(screen.getByTestId("policy-enabled"));
    await userEvent.click(screen.getByTestId("policy-save"));
    expect(fake.ttl.setPolicy).toHaveBeenCalledWith(null, { enabled: true, ttl_days: 120, remove_gone: false });
    await waitFor(() => expect(text("cache-default")).toBe("Default for all folders: expires after 120 days"));
    expect([screen.queryByTestId("policy-dialog"), host.toasts]).toEqual([null, ["Expiry changed."]]);
  });

  it("is a folder's own, or the default", async () => {
    await open();
    await userEvent.click(groupOf("R1").getByTestId("cache-group-expiry"));
    expect(screen.getByTestId<HTMLInputElement>("policy-enabled").disabled).toBe(true);
    await userEvent.click(screen.getByTestId("policy-follow"));
    await userEvent.click(screen.getByTestId("policy-remove-gone"));
    await userEvent.click(screen.getByTestId("policy-save"));
    expect(fake.ttl.setPolicy).toHaveBeenCalledWith("R1", { ...NO_EXPIRY, remove_gone: true });
    await waitFor(() => expect(textOf(groupOf("R1").getByTestId("cache-group-policy"))).toBe("no expiry · thumbnails of missing pictures are removed"));
    await userEvent.click(groupOf("R2").getByTestId("cache-group-expiry"));
    await userEvent.click(screen.getByTestId("policy-follow"));
    await userEvent.click(screen.getByTestId("policy-save"));
    expect(fake.ttl.followDefault).toHaveBeenCalledWith("R2");
  });

  it("reports a failed save, and stays open", async () => {
    await open();
    await host.press("d");
    fake.fault = "storage_failed";
    await userEvent.click(screen.getByTestId("policy-save"));
    expect(textOf(await screen.findByTestId("policy-complaint"))).toBe("Couldn’t write to the disk. Everything you saved before is safe.");
    expect(screen.getByTestId("policy-dialog")).toBeDefined();
  });
});

it("shows the cache's kinds, last uses and shares", async () => {
  const age = (days: number | null, artifacts: number, bytes: number) => ({ days, artifacts, bytes });
  await open({ ages: [age(1, 3, 3 * MIB), age(7, 0, 0), age(30, 1, MIB), age(null, 0, 0)] });
  const rows = (id: string) => within(screen.getByTestId(id)).getAllByRole("row").slice(1).map((row) => [...row.children].map(textOf).join(" "));
  expect(rows("cache-kinds")).toEqual(["Thumbnails 94% 1,211 61 MiB", "Folder indexes 6.2% 12 4 MiB"]);
  expect(rows("cache-ages")).toEqual(["less than 1 day ago 75% 3 3 MiB", "1 to 7 days ago 0% 0 0 bytes", "7 to 30 days ago 25% 1 1 MiB", "30 days ago or earlier 0% 0 0 bytes"]);
});

describe("runs", () => {
  it("are listed with expired items and freed space", async () => {
    const run = { at: "2026-11-20T00:40:00Z", trigger: "schedule" as const, marked_blobs: 0, marked_manifests: 0, marked_gone: 0, counts: NO_COUNTS };
    await open({
      runs: [
        { ...run, marked_blobs: 2, marked_manifests: 1, marked_gone: 3, counts: { ...NO_COUNTS, error_blobs: 1 } },
        { ...run, at: "2026-11-19T09:00:00Z", trigger: "request" },
        { ...run, at: "2026-11-18T00:40:00Z", error: "no" },
      ],
      collections: [{ at: "2026-11-17T10:00:00Z", artifacts: 40, bytes: MIB }],
    });
    const runs = screen.getAllByTestId("ttl-past-run").map(textOf);
    expect(runs[0]).toMatch(/daily run 2 thumbnails and 1 folder index expired · 3 thumbnails of missing pictures 1 item couldn’t be removed\.$/);
    expect(runs[1]).toMatch(/on request nothing expired$/);
    expect(runs[2]).toMatch(/Failed: no$/);
    expect(text("cache-collection")).toMatch(/40 thumbnails \(1 MiB\)$/);
    expect(oncounts).toHaveBeenCalledWith(NO_COUNTS);
  });

  it.each<[Partial<Job>, string]>([
    [{ state: "done", result: { artifacts: 5, bytes: MIB, counts: NO_COUNTS } as unknown as Job["result"] }, "Removed 5 items (1 MiB)."],
    [{ state: "done", result: { artifacts: 0, bytes: 0, counts: NO_COUNTS } as unknown as Job["result"] }, "Nothing has expired."],
    [{ state: "failed", error: { code: "clock_jumped", message: "" } }, "Expiry run failed. The computer’s clock has jumped. Nothing expires for an hour, so that nothing is removed by mistake."],
  ])("are started by a key and reported: %o", async (ended, words) => {
    await open();
    fake.jobsNow = [RUN];
    await host.press("e");
    await host.press("e");
    expect(fake.ttl.run).toHaveBeenCalledTimes(1);
    fake.emitJob({ ...RUN, ...ended });
    await waitFor(() => expect(text("job-ttl_run")).toBe(words));
  });
});

it("failures show reasons and attempts, with immediate retry", async () => {
  const failure = { key: "ab", group: "R1", kind: "blob" as const, name: "c0ffee-85x85-crop.jpg", picture: null, reason: "Permission denied", attempts: 2, retry_at: "2026-11-20T10:00:00Z" };
  const picture = { root: "R1", path: "旅/a b.jpg", path_bytes: null };
  await open({ failures: [failure, { ...failure, key: "cd", kind: "manifest", name: null, attempts: 1 }, { ...failure, key: "ef", picture }] });
  const failures = screen.getAllByTestId("ttl-failure").map(textOf);
  expect(failures[0]).toMatch(/^c0ffee-85x85-crop\.jpg \/pictures Permission denied Tried 2 times · next try .* Try again$/);
  expect(failures[1]).toMatch(/^Index of a folder \/pictures Permission denied Tried 1 time · /);
  expect(failures[2]).toMatch(/^旅\/a b\.jpg \/pictures /);
  await userEvent.click(screen.getByRole("button", { name: "Try again: c0ffee-85x85-crop.jpg" }));
  await host.press("r");
  expect(fake.ttl.retry.mock.calls).toEqual([["ab"], [null]]);
});

it("failures show their picture while it exists", async () => {
  const picture = { root: "R1", path: "旅/a b.jpg", path_bytes: null };
  const failure = { key: "ab", group: "R1", kind: "blob" as const, name: "c0ffee-85x85-crop.jpg", picture, reason: "Permission denied", attempts: 2, retry_at: "2026-11-20T10:00:00Z" };
  await open({ failures: [failure] });
  expect(fake.folders.thumbUrl({ root: "R1", path: encodePath("旅/a b.jpg"), size: 128, ahead: true })).toBe(screen.getByTestId("ttl-picture").getAttribute("src"));
  await fireEvent.error(screen.getByTestId("ttl-picture"));
  expect(screen.queryByTestId("ttl-picture")).toBeNull();
});

it("reports only unusual states", async () => {
  await open();
  expect(document.querySelector(".notices")).toBeNull();
  fake.expiry.now = { ...fake.expiry.now, complete: false, workers: 0, clock_jumped_until: "2026-11-20T10:00:00Z", regrets: { evicted: 1, expired: 12 } };
  fake.emit("ttl.run", { counts: NO_COUNTS });
  await screen.findByTestId("cache-notice-clock");
  expect(text("cache-notice-incomplete")).toContain("incomplete");
  expect(text("cache-notice-no-workers")).toContain("FUMIKURA_TTL_WORKERS");
  expect(text("cache-notice-regret-evicted")).toBe("1 thumbnail was needed again soon after it was deleted to free up space: the limit is too small.");
  expect(text("cache-notice-regret-expired")).toBe("12 items were needed again soon after they expired: the time is too short.");
});

it("warns after days without a successful run", async () => {
  await open({ overdue: true, last_success: "2026-11-20T10:00:00Z" });
  expect(text("cache-notice-overdue")).toMatch(/^No expiry run has succeeded since Nov 20, 2026, .*\.$/);
  render(OverdueNotice, { backend: fake });
  await waitFor(() => expect(text("cache-overdue")).toBe(text("cache-notice-overdue")));
  setLocale("ja");
  fake.expiry.now = { ...fake.expiry.now, last_success: null };
  fake.emit("ttl.run", { counts: NO_COUNTS });
  await waitFor(() => expect(text("cache-overdue")).toBe("期限切れの処理が、まだ一度も成功していません。"));
  fake.expiry.now = { ...fake.expiry.now, overdue: false };
  fake.emit("ttl.run", { counts: NO_COUNTS });
  await waitFor(() => expect([screen.queryByTestId("cache-overdue"), screen.queryByTestId("cache-notice-overdue")]).toEqual([null, null]));
});

it("shows the rest while unavailable, with a retry", async () => {
  setLocale("ja");
  fake.once("GET /api/ttl", () => fail("storage_failed"));
  render(CacheView, { backend: fake, watch: new JobWatch(fake), host, oncounts });
  expect(textOf(await screen.findByTestId("ttl-failed"))).toContain("期限切れの設定を調べられませんでした。");
  expect(screen.getByTestId("cache-used")).toBeDefined();
  await userEvent.click(screen.getByTestId("ttl-state-retry"));
  await screen.findByTestId("cache-groups");
});
