import { beforeEach, expect, it } from "vitest";
import type { Job } from "../api/backend";
import { canonicalPath } from "../api/names";
import { JobWatch } from "../jobs";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import { HashRuns } from "./hash-runs.svelte";

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

it("shows the job that began last, and its report when it ended", async () => {
  backend.jobsNow = [job("H1")];
  await runs.verify(true);
  expect([runs.latest?.id, runs.reported]).toEqual(["H1", null]);
  expect(backend.hashes.verify).toHaveBeenCalledExactlyOnceWith({ dir: "own", full: true });
  backend.tellJob(job("H9", { kind: "record_hashes", started_at: "2026-11-02T00:00:00Z", state: "done" }));
  await expect.poll(() => runs.reported).toBe("H9");
});

it("shows a job that had ended before, until another one begins", async () => {
  backend.jobsNow = [job("H5", { state: "done" }), job("H4", { state: "done" })];
  await runs.findEarlier();
  expect(runs.reported).toBe("H5");
  backend.tellJob(job("H6"));
  await expect.poll(() => runs.latest?.id).toBe("H6");
});

it("a failed run has no report", async () => {
  backend.jobsNow = [job("H1", { state: "failed" })];
  await runs.verify(false);
  expect([runs.latest?.id, runs.reported]).toEqual(["H1", null]);
});

it("a preview can be applied once it is done, after a question", async () => {
  backend.jobsNow = [job("H1", { kind: "tidy_hashes", state: "done" })];
  await runs.preview("tidy_hashes");
  expect(backend.hashes.tidy).toHaveBeenLastCalledWith(true, "own");
  expect(runs.applicable).toBe("tidy_hashes");
  host.says = false;
  expect(await runs.apply("tidy_hashes")).toBe(false);
  expect(backend.hashes.tidy).toHaveBeenCalledTimes(1);
  host.says = true;
  backend.jobsNow = [job("H2", { kind: "tidy_hashes", state: "done", started_at: "2026-11-02T00:00:00Z" })];
  expect(await runs.apply("tidy_hashes")).toBe(true);
  expect(backend.hashes.tidy).toHaveBeenLastCalledWith(false, "own");
  expect(runs.applicable).toBeNull();
});

it("another program's records are written to after a question of its own only", async () => {
  dir = "G1";
  host.says = false;
  expect(await runs.record(place, false)).toBe(false);
  expect(backend.hashes.record).not.toHaveBeenCalled();
  host.says = true;
  backend.jobsNow = [job("H1", { kind: "record_hashes" })];
  expect(await runs.record(place, false)).toBe(true);
  expect(backend.hashes.record).toHaveBeenCalledExactlyOnceWith(place, { dir: "G1", full: false, confirm_foreign: true });
});

it("says why nothing was begun", async () => {
  backend.hashes.fault = "hashes_busy";
  expect(await runs.verify(false)).toBe(false);
  expect(host.toasts).toEqual(["Another program is writing to these hash records. Try again in a moment."]);
});
