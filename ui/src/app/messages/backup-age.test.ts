import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BackupItem } from "../../api/backend";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";

let server: FakeBackend;
let stop = () => {};

beforeEach(() => {
  history.replaceState(null, "", "/settings");
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00Z") });
  server = new FakeBackend();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const item = (taken_at: string, isProved: boolean) =>
  ({ name: taken_at, taken_at, proved_at: isProved ? taken_at : null, pages: 1, assets: 0, bytes: 1, kept_by: [], faults: [], decreases: [] }) as unknown as BackupItem;

function open(made: [takenAt: string, isProved: boolean][]) {
  const backups = made.map(([takenAt, isProved]) => item(takenAt, isProved));
  const proved = backups.find(({ proved_at }) => proved_at !== null);
  server.on("GET /api/backups", () => ({ folder: "/data/backups", last_proved: proved?.taken_at ?? null, backups, pending: null, place: null }));
  const app = new App(server);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
}

it.each<[[string, boolean][], string, string]>([
  [[], "No backup yet", "plain"],
  [[["2026-11-20T09:00:00Z", true]], "Backup: 3 hr. ago", "plain"],
  [[["2026-11-16T12:00:00Z", true]], "Backup: 4 days ago", "warn"],
  [[["2026-11-20T11:00:00Z", false], ["2026-11-20T09:00:00Z", true]], "Backup: 3 hr. ago", "warn"],
])("backups %j: %s, %s", async (made, words, tone) => {
  open(made);
  const item = await screen.findByTestId("status-backup");
  await waitFor(() => expect(item.textContent.trim()).toBe(words));
  expect([item.dataset["tone"], item.getAttribute("href")]).toEqual([tone, "/settings#backup"]);
});

it("a backup that ends is shown", async () => {
  open([]);
  await screen.findByTestId("status-backup");
  const backup = item("2026-11-20T12:00:00Z", true);
  server.on("GET /api/backups", () => ({ folder: "/data/backups", last_proved: backup.taken_at, backups: [backup], pending: null, place: null }));
  server.emit("job.progress", { job_id: "J1", kind: "backup", state: "done", done: 1, total: 1 });
  await waitFor(() => expect(screen.getByTestId("status-backup").textContent).toContain("Backup: now"));
});
