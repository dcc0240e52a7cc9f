import { expect, it, vi } from "vitest";
import type { Job } from "../api/backend";
import { fakeDesktop, FakeBackend } from "../testing/fake-backend";
import { notifyWhenEnded } from "./long-work";

const job = (state: Job["state"], ended_at: string | null = null, more: Partial<Job> = {}): Job => ({ id: "J1", kind: "find_pictures", state, done: 0, total: 0, started_at: "2026-11-20T00:00:00Z", ended_at, ...more });

function started() {
  const backend = new FakeBackend();
  const desktop = fakeDesktop();
  backend.desktop = desktop;
  backend.jobsNow = [job("running")];
  notifyWhenEnded(backend, "J1", { what: "Search", address: "/albums/A1" });
  return { backend, notified: vi.mocked(desktop.notify) };
}

it.each<[Job["state"], string]>([
  ["done", "Search finished"],
  ["failed", "Search failed"],
])("a long job's end is notified: %s", async (state, title) => {
  const { backend, notified } = started();
  backend.emitJob(job("running"));
  backend.emitJob(job(state, "2026-11-20T00:00:05Z"));
  backend.emitJob(job(state, "2026-11-20T00:00:05Z"));
  await vi.waitFor(() => expect(notified).toHaveBeenCalledTimes(1));
  expect(notified.mock.calls[0]?.[0]).toMatchObject({ title, address: "/albums/A1" });
});

it.each<[string, Job]>([
  ["short", job("done", "2026-11-20T00:00:04Z")],
  ["cancelled", job("cancelled", "2026-11-20T00:10:00Z")],
])("a %s job is not notified", async (_, ended) => {
  const { backend, notified } = started();
  const asked = () => backend.sent("GET /api/jobs/{id}").length;
  await vi.waitFor(() => expect(asked()).toBe(1));
  backend.emitJob(ended);
  await vi.waitFor(() => expect(asked()).toBe(2));
  await vi.waitFor(() => expect(backend.sent("GET /api/jobs/{id}")).toHaveLength(2));
  expect(notified).not.toHaveBeenCalled();
});
