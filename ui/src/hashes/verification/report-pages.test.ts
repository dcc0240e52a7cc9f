import { expect, it } from "vitest";
import type { HashFinding } from "../../api/hashes";
import { FakeBackend } from "../../testing/fake-backend";
import { ReportPages } from "./report-pages.svelte";

const finding = (path: string, state: HashFinding["state"]): HashFinding => ({ path, state, expected: null, actual: null, size: null, mtime: null, to: null, files: null, reason: null });

function reporting(findings: HashFinding[]) {
  const backend = new FakeBackend();
  backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, summary: { ok: 5, corrupt: 1 }, findings };
  return { backend, report: new ReportPages(backend.hashes) };
}

it("is loaded in parts", async () => {
  const { backend, report } = reporting(Array.from({ length: 250 }, (_, at) => finding(`/${at}`, "changed")));
  await report.open("J1");
  expect([report.findings.length, report.hasMore]).toEqual([200, true]);
  await report.more();
  await report.more();
  expect([report.findings.length, report.hasMore, backend.hashes.report.mock.calls.length]).toEqual([250, false, 2]);
});

it("is filtered by state, but counts all states", async () => {
  const { report } = reporting([finding("/a", "changed"), finding("/b", "corrupt")]);
  await report.open("J1");
  await report.filter("corrupt");
  expect(report.findings.map(({ path }) => path)).toEqual(["/b"]);
  expect(report.counts).toEqual({ ok: 5, corrupt: 1 });
});

it("is read once, and again after a failure", async () => {
  const { backend, report } = reporting([]);
  await report.open("J1");
  await report.open("J1");
  expect(backend.hashes.report).toHaveBeenCalledTimes(1);
  backend.fault = "job_not_found";
  await report.open("J2");
  expect([report.report, report.failure !== null]).toEqual([null, true]);
  backend.fault = null;
  await report.open("J2");
  expect(report.failure).toBeNull();
});
