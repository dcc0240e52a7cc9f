import { beforeEach, expect, it } from "vitest";
import type { Job } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { JobWatch } from "../../jobs";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { applicableOf, HashRuns } from "./hash-runs.svelte";

let backend: FakeBackend;
let host: StubHost;
let dir: string;
let runs: HashRuns;

const job = (id: string, more: Partial<Job> = {}): Job => ({ id, kind: "verify_hashes", state: "running", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z", ...more });
const place = { root: "R1", path: canonicalPath("2026") };

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  dir = "own";
  const watch = new JobWatch(backend);
  watch.listen();
  runs = new HashRuns(backend, watch, host, () => dir);
});

const endedJob = (id: string, more: Partial<Job> = {}) => job(id, { state: "done", ...more });
const of = (result: { dir?: string; dry_run?: boolean }) => ({ result: result as unknown as NonNullable<Job["result"]> });

it("follows a job until it's the last run", async () => {
  backend.jobsNow = [job("H1")];
  expect(await runs.verify(true)).toBe("H1");
  expect([runs.atWork?.id, runs.lastRun]).toEqual(["H1", null]);
  expect(backend.hashes.verify).toHaveBeenCalledExactlyOnceWith({ dir: "own", quick: true });
  backend.emitJob(endedJob("H1"));
  await expect.poll(() => [runs.atWork, runs.lastRun?.id]).toEqual([null, "H1"]);
});

it("an earlier job is last until another ends", async () => {
  backend.jobsNow = [endedJob("H5"), endedJob("H4")];
  await runs.findEarlier();
  expect(runs.lastRun?.id).toBe("H5");
  backend.emitJob(endedJob("H6", { kind: "record_hashes", started_at: "2026-11-02T00:00:00Z" }));
  await expect.poll(() => runs.lastRun?.id).toBe("H6");
  expect(runs.find("H4")?.id).toBe("H4");
});

it("the last run is this folder's, no preview", async () => {
  backend.jobsNow = [
    endedJob("H3", { kind: "tidy_hashes", started_at: "2026-11-03T00:00:00Z", ...of({ dir: "own", dry_run: true }) }),
    endedJob("H2", { started_at: "2026-11-02T00:00:00Z", ...of({ dir: "G1" }) }),
    endedJob("H1", of({ dir: "own" })),
  ];
  await runs.findEarlier();
  expect([runs.ended?.id, runs.lastRun?.id]).toEqual(["H3", "H1"]);
  dir = "G1";
  expect(runs.lastRun?.id).toBe("H2");
  dir = "G2";
  expect(runs.lastRun).toBeNull();
});

it("a cancelled run belongs to its starting folder", async () => {
  dir = "G1";
  backend.jobsNow = [job("H1", { state: "cancelled" })];
  await runs.verify(false);
  expect(runs.lastRun?.id).toBe("H1");
  dir = "own";
  expect(runs.lastRun).toBeNull();
});

it("another folder's job keeps this folder's last run", async () => {
  backend.jobsNow = [endedJob("H1", of({ dir: "own" }))];
  await runs.verify(false);
  dir = "G1";
  backend.jobsNow = [endedJob("H2", { started_at: "2026-11-02T00:00:00Z", ...of({ dir: "G1" }) })];
  await runs.verify(false);
  dir = "own";
  expect(runs.lastRun?.id).toBe("H1");
});

it("applying a preview to its folder needs confirmation", async () => {
  backend.jobsNow = [endedJob("H1", { kind: "tidy_hashes" })];
  expect(await runs.preview("tidy_hashes")).toBe("H1");
  expect(backend.hashes.tidy).toHaveBeenLastCalledWith(true, "own");
  host.confirmAnswer = false;
  expect(await runs.apply("tidy_hashes", "own")).toBeNull();
  expect(backend.hashes.tidy).toHaveBeenCalledTimes(1);
  host.confirmAnswer = true;
  dir = "G1";
  backend.jobsNow = [endedJob("H2", { kind: "tidy_hashes", started_at: "2026-11-02T00:00:00Z" })];
  expect(await runs.apply("tidy_hashes", "own")).toBe("H2");
  expect(backend.hashes.tidy).toHaveBeenLastCalledWith(false, "own");
});

it.each([
  ["tidy_hashes", true, false, { orphan: 1, unreadable: 1 }, "tidy_hashes"],
  ["migrate_hashes", true, false, { legacy: 1 }, "migrate_hashes"],
  ["tidy_hashes", true, false, { unreadable: 1 }, null],
  ["tidy_hashes", false, false, { orphan: 1 }, null],
  ["tidy_hashes", true, true, { orphan: 1 }, null],
  ["verify_hashes", true, false, {}, null],
] as const)("%s (dry: %s, cancelled: %s, %o) applies: %s", (kind, dry_run, cancelled, summary, applicable) => {
  expect(applicableOf({ kind, dry_run, cancelled, summary })).toBe(applicable);
});

it("writes another program's records only when confirmed", async () => {
  dir = "G1";
  host.confirmAnswer = false;
  expect(await runs.record(place, { full: false })).toBeNull();
  expect(backend.hashes.record).not.toHaveBeenCalled();
  host.confirmAnswer = true;
  backend.jobsNow = [job("H1", { kind: "record_hashes" })];
  expect(await runs.record(place, { full: false })).toBe("H1");
  expect(backend.hashes.record).toHaveBeenCalledExactlyOnceWith(place, { dir: "G1", full: false, confirm_foreign: true });
});

it("explains why nothing was started", async () => {
  backend.fault = "hashes_busy";
  expect(await runs.verify(false)).toBeNull();
  expect(host.toasts).toEqual(["Another program is writing to these hash records. Try again in a moment."]);
});
