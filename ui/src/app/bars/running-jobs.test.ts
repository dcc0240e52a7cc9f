import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../../api/backend";
import { setLocale } from "../../i18n";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { loadFolders } from "../../folders/view";
import { settings } from "../settings/view";

let backend: FakeBackend;
let app: App;
let stop = () => {};

// The first test is not timed with the transformation of the views.
beforeAll(() => Promise.all([loadFolders(), settings.load?.()]));
beforeEach(() => {
  backend = new FakeBackend();
});
afterEach(() => {
  stop();
  setLocale("en");
});

const BACKUP: Job = { id: "J1", kind: "backup", state: "running", done: 45, total: 100, started_at: "2026-11-01T00:00:00Z" };

async function openAt(address: string): Promise<void> {
  history.replaceState(null, "", address);
  await loadFolders();
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address, page: null } });
  await screen.findByTestId("activity-bar");
}

// The schema does not specify the contents of a result.
const COPIED = { folder: "/b", assets: 2, missing: [] } as unknown as Job["result"];

const atWork = () => screen.queryByTestId("jobs-at-work");
const words = () => atWork()?.textContent.replace(/\s+/g, " ").trim();
const toasts = () => app.toasts.items.map(({ message, tone }) => [message, tone]);

describe("the status bar", () => {
  it("shows running work, and leads to it", async () => {
    backend.jobsNow = [BACKUP];
    await openAt("/pictures/");
    await waitFor(() => expect(words()).toBe("Backup: 45% done"));
    await userEvent.click(screen.getByTestId("jobs-at-work"));
    expect(await screen.findByTestId("job-backup")).toBeDefined();
    expect(location.pathname + location.hash).toBe("/settings#backup");
  });

  it("follows a job to its end, including pauses", async () => {
    await openAt("/pictures/");
    expect(atWork()).toBeNull();
    backend.emitJob(BACKUP);
    await waitFor(() => expect(words()).toBe("Backup: 45% done"));
    backend.emitJob({ ...BACKUP, state: "paused" });
    await waitFor(() => expect(words()).toBe("Backup: Paused"));
    backend.emitJob({ ...BACKUP, state: "done" });
    await waitFor(() => expect(atWork()).toBeNull());
  });

  it("counts simultaneous jobs, also in Japanese", async () => {
    backend.settingsNow.language = "ja";
    backend.jobsNow = [BACKUP];
    await openAt("/pictures/");
    await waitFor(() => expect(words()).toBe("バックアップ: 45% 完了"));
    backend.emitJob({ ...BACKUP, id: "J2", kind: "cache_gc" });
    await waitFor(() => expect(words()).toBe("2 件を処理しています"));
  });

  it("lists two jobs with their own palette keys", async () => {
    backend.jobsNow = [BACKUP, { ...BACKUP, id: "J2", kind: "import" }];
    await openAt("/settings");
    await screen.findByTestId("job-import");
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type(await screen.findByTestId("palette-input"), "Pause");
    const entries = screen.getAllByTestId("palette-entry").map((entry) => entry.textContent.replace(/\s+/g, " ").trim());
    expect(entries).toEqual(expect.arrayContaining(["Pause or resume: Backup Shift B", "Pause or resume: Import Shift I"]));
  });

  it("shows no job that the settings omit", async () => {
    backend.jobsNow = [{ ...BACKUP, kind: "mark_files" }];
    await openAt("/pictures/");
    backend.emitJob({ ...BACKUP, id: "J2", kind: "mark_files" });
    backend.emitJob({ ...BACKUP, id: "J3", kind: "import" });
    await waitFor(() => expect(words()).toBe("Import: 45% done"));
  });

  it("moves an ended job's focus to the view", async () => {
    backend.jobsNow = [BACKUP];
    await openAt("/pictures/");
    (await screen.findByTestId("jobs-at-work")).focus();
    backend.emitJob({ ...BACKUP, state: "done" });
    await waitFor(() => expect(document.activeElement?.id).toBe("main"));
  });
});

describe("a finished job of this window", () => {
  async function begin(job: Job): Promise<void> {
    backend.jobsNow = [job];
    await app.jobs.follow(job.id);
  }

  it("is reported anywhere, with a link", async () => {
    await openAt("/pictures/");
    await begin(BACKUP);
    backend.emitJob({ ...BACKUP, state: "done", result: COPIED });
    await waitFor(() => expect(toasts()).toEqual([["Backup finished", "good"]]));
    await app.toasts.items[0]?.action?.run();
    expect((await screen.findByTestId("job-backup")).textContent).toContain("/b");
  });

  it("is reported when failed, but not when cancelled", async () => {
    await openAt("/pictures/");
    await begin(BACKUP);
    backend.emitJob({ ...BACKUP, state: "failed", error: { code: "disk_full", message: "" } });
    await waitFor(() => expect(toasts()).toEqual([["Backup failed", "bad"]]));
    await begin({ ...BACKUP, id: "J2", kind: "import" });
    backend.emitJob({ ...BACKUP, id: "J2", kind: "import", state: "cancelled" });
    await waitFor(() => expect(app.jobs.get("import")?.state).toBe("cancelled"));
    expect(toasts()).toHaveLength(1);
  });

  it("is not reported in settings or from elsewhere", async () => {
    await openAt("/settings");
    await begin(BACKUP);
    backend.emitJob({ ...BACKUP, state: "done", result: COPIED });
    await waitFor(() => expect(screen.getByTestId("job-backup").dataset["state"]).toBe("done"));
    await app.router.navigate("/pictures/");
    const others: Job = { ...BACKUP, id: "J2" };
    backend.emitJob(others);
    await waitFor(() => expect(atWork()).not.toBeNull());
    backend.emitJob({ ...others, state: "done" });
    await waitFor(() => expect(atWork()).toBeNull());
    expect(toasts()).toEqual([]);
  });
});
