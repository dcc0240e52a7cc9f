import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend, BackupItem, BackupPlaceState, DesktopApi, Replacement, Job, JobKind } from "../api/backend";
import type { EventMap } from "../api/events/events";
import { fakeDesktop, NO_MIRROR } from "../testing/fake-backend";
import { setLocale } from "../i18n";
import { JobWatch } from "../jobs";
import { StubHost } from "../testing/stub-host";
import ArchiveSection from "./ArchiveSection.svelte";

let host: StubHost;
let jobs: Job[];
let made: BackupItem[];
let pending: Replacement | null;
let place: BackupPlaceState | null;
const ondaily = vi.fn();
const onwithrecords = vi.fn();
let progress: (data: EventMap["job.progress"]) => void;
let backend: Pick<Backend, "jobs" | "archive" | "backups" | "imports" | "importedTexts" | "mirror">;
const cancelGoBack = vi.fn(() => Promise.resolve((pending = null)));

function job(kind: JobKind, more: Partial<Job> = {}): Job {
  return { id: `J${kind}`, kind, state: "running", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z", ...more };
}

/** Changes the job, and notifies all listeners. */
function emitJob(changed: Job): void {
  jobs = [changed, ...jobs.filter(({ id }) => id !== changed.id)];
  const { id, kind, state, done, total } = changed;
  progress({ job_id: id, kind, state, done, total });
}

beforeEach(() => {
  host = new StubHost();
  jobs = [];
  made = [];
  pending = null;
  place = null;
  backend = {
    jobs: {
      list: () => Promise.resolve([...jobs]),
      get: (id) => Promise.resolve(jobs.find((one) => one.id === id) as Job),
      pause: vi.fn(() => Promise.resolve(job("import"))),
      cancel: vi.fn(() => Promise.resolve()),
    },
    mirror: { state: () => Promise.resolve(NO_MIRROR), choose: vi.fn(), update: vi.fn(), forget: vi.fn(), switchOn: vi.fn(), difference: vi.fn(), takeOver: vi.fn(), writeAgain: vi.fn(), leave: vi.fn() },
    importedTexts: { list: () => Promise.resolve([]), difference: vi.fn(), takeOver: vi.fn(), keep: vi.fn() },
    imports: { read: vi.fn(), preview: vi.fn(), run: vi.fn(), list: () => Promise.resolve([]), undo: vi.fn() },
    backups: { records: vi.fn(), bringRecordsBack: vi.fn(), pages: vi.fn(), page: vi.fn(), bringPageBack: vi.fn(), bringFileBack: vi.fn(), goBack: vi.fn(), choosePlace: vi.fn(), forgetPlace: vi.fn(() => Promise.resolve()), copyToPlace: vi.fn(() => {
      jobs = [job("copy_backup")];
      return Promise.resolve("Jcopy_backup");
    }), cancelGoBack: async () => void (await cancelGoBack()) },
    archive: {
      exportUrl: (form) => `/api/export?form=${form}`,
      import: vi.fn(() => {
        jobs = [job("import")];
        return Promise.resolve("Jimport");
      }),
      backups: () => Promise.resolve({ folder: "/data/backups", last_proved: made[0]?.taken_at ?? null, backups: made, pending, place }),
      check: vi.fn((repair: boolean) => {
        const id = repair ? "Jrepair" : "Jcheck";
        jobs = [job("check", { id })];
        return Promise.resolve(id);
      }),
      backup: vi.fn(() => {
        jobs = [job("backup")];
        return Promise.resolve("Jbackup");
      }),
    },
  };
});

afterEach(() => setLocale("en"));

function open(desktop: DesktopApi | null = null) {
  const events = {
    on: (name: string, handler: (data: never) => void) => {
      if (name === "job.progress") progress = handler as typeof progress;
      return () => {};
    },
    onConnection: () => () => {},
  };
  const watch = new JobWatch({ ...backend, events });
  watch.listen();
  const again = () => render(ArchiveSection, { backend: { ...backend, desktop, events }, watch, host, daily: true, ondaily, withRecords: false, onwithrecords });
  return { ...again(), again };
}

const outcomeText = (kind: JobKind) => screen.getByTestId(`job-${kind}`).textContent.replace(/\s+/g, " ").trim();

describe("a check", () => {
  const fault = (words: string, repairable: boolean) => ({ place: "asset/", words, repairable });
  const ended = (result: object, id = "Jcheck") => job("check", { id, state: "done", result: result as unknown as Job["result"] });

  it("without faults offers no repair", async () => {
    open();
    await userEvent.click(screen.getByTestId("check"));
    expect(backend.archive.check).toHaveBeenCalledExactlyOnceWith(false);
    await screen.findByTestId("job-check");
    emitJob(ended({ pages: 3, revisions: 9, faults: [], repaired: [], copy: null }));
    await waitFor(() => expect(outcomeText("check")).toBe("Checked 3 pages.No faults were found."));
    expect(screen.queryByTestId("repair")).toBeNull();
    await host.press("r");
    expect(backend.archive.check).toHaveBeenCalledOnce();
  });

  it("lists faults, and repairs those that it can", async () => {
    open();
    await host.press("k");
    await screen.findByTestId("job-check");
    emitJob(ended({ pages: 3, revisions: 9, faults: [fault("A is lost", false), fault("B has changed", true)], repaired: [], copy: null }));
    await waitFor(() =>
      expect(outcomeText("check")).toBe(
        "Checked 3 pages.1 fault can be repaired:1 fault can’t be repaired from what is here. An older backup may be intact: asset/: B has changedasset/: A is lost",
      ),
    );
    await userEvent.click(screen.getByTestId("repair"));
    expect(vi.mocked(backend.archive.check).mock.lastCall).toEqual([true]);
    emitJob(ended({ pages: 3, revisions: 9, faults: [], repaired: [fault("B has changed", true)], copy: "/data/backups/before" }, "Jrepair"));
    await waitFor(() =>
      expect(outcomeText("check")).toBe("Checked 3 pages.Repaired 1 fault.The state before is kept in /data/backups/before.No faults are left."),
    );
  });
});

describe("an import", () => {
  const archive = new File(["PK"], "wiki.zip", { type: "application/zip" });

  it("uploads the archive with its option, showing progress", async () => {
    open();
    await userEvent.click(screen.getByTestId("conflict-replace"));
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    const calls = vi.mocked(backend.archive.import).mock.calls;
    expect(calls.map(([source, mode]) => ["file" in source && source.file === archive, mode])).toEqual([[true, "replace"]]);
    await screen.findByTestId("job-import");
    emitJob(job("import", { done: 30, total: 40 }));
    await waitFor(() => expect(outcomeText("import")).toContain("75% done"));
    await userEvent.click(screen.getByTestId("job-pause"));
    expect(backend.jobs.pause).toHaveBeenCalledExactlyOnceWith("Jimport", true);
    await userEvent.click(screen.getByTestId("job-cancel"));
    expect(backend.jobs.cancel).toHaveBeenCalledExactlyOnceWith("Jimport");
    await host.press("Shift+i");
    expect(backend.jobs.pause).toHaveBeenCalledTimes(2);
    await host.press("Alt+i");
    expect(backend.jobs.cancel).toHaveBeenCalledTimes(2);
  });

  it("reports what was imported, and changed links", async () => {
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    const warnings = [{ page: "/a", link: "b", before: "/b", after: "/c" }];
    const result = { created: 1, replaced: 2, unchanged: 0, skipped: 0, assets: 3, ignored: 0, warnings };
    emitJob(job("import", { state: "done", result: result as unknown as Job["result"] }));
    await waitFor(() =>
      expect(outcomeText("import")).toBe(
        "Imported 1 page.Added a new revision to 2 pages.Imported 3 files.1 link now points to a different page: /a: b pointed to /b and now points to /c",
      ),
    );
  });

  it("reports what a full archive has restored", async () => {
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    const result = { restored: true, users: 2, pages: 5, revisions: 9, assets: 3, missing: ["F"] };
    emitJob(job("import", { state: "done", result: result as unknown as Job["result"] }));
    await waitFor(() =>
      expect(outcomeText("import")).toBe(
        "Restored 5 pages with their history.Imported 3 files.Restored 2 users.1 file isn’t included because its contents are missing.",
      ),
    );
  });

  it("names pages that link to existing pages", async () => {
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    const existing = [{ page: "/a", path: "/b" }];
    const result = { created: 1, replaced: 0, unchanged: 0, skipped: 1, assets: 0, ignored: 0, warnings: [], existing };
    emitJob(job("import", { state: "done", result: result as unknown as Job["result"] }));
    await waitFor(() =>
      expect(outcomeText("import")).toBe(
        "Imported 1 page.Skipped 1 page.1 link leads to a page that was here before: /a links to /b",
      ),
    );
  });

  it("that ended elsewhere reports its outcome", async () => {
    const { unmount, again } = open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    unmount();
    emitJob(job("import", { state: "failed", error: { code: "disk_full", message: "" } }));
    again();
    await waitFor(() => expect(outcomeText("import")).toContain("The disk is full."));
  });

  it("that fails says why, where, and nothing changed", async () => {
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    emitJob(job("import", { state: "failed", error: { code: "path_taken", message: "taken", path: "/旅" } }));
    await waitFor(() => expect(outcomeText("import")).toContain("(/旅)"));
    expect(outcomeText("import")).toContain("Nothing was changed.");
  });

  it("that is rejected explains the archive's fault", async () => {
    setLocale("ja");
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    const entry = "pages/旅.files/a.png";
    const message = "In the archive, pages/旅.files/a.png: the file does not have the 5 bytes that the manifest says.";
    emitJob(job("import", { state: "failed", error: { code: "invalid_archive", message, fault: "file_size", entry } }));
    await waitFor(() =>
      expect(outcomeText("import")).toBe(
        `取り込みに失敗しました。このアーカイブは取り込めません。ファイルの大きさがアーカイブの目録と異なります。（${entry}）何も変更していません。`,
      ),
    );
  });

  it("of too large a file names the limit", async () => {
    open();
    await userEvent.upload(screen.getByTestId("import-input"), archive);
    await screen.findByTestId("job-import");
    const error = { code: "too_large", message: "", fault: "file_too_large", entry: "pages/a.files/b", limit: 2 ** 21 } as const;
    emitJob(job("import", { state: "failed", error }));
    await waitFor(() => expect(outcomeText("import")).toContain("The file exceeds the limit of 2 MiB. (pages/a.files/b)"));
  });

  it("imports the file of the window's dialog", async () => {
    const pickFiles = vi.fn(() => Promise.resolve([{ grant: "G1", name: "wiki.zip", size: 2, folder: false }]));
    open(fakeDesktop({ pickFiles }));
    await userEvent.click(screen.getByTestId("import"));
    await screen.findByTestId("job-import");
    expect(backend.archive.import).toHaveBeenCalledExactlyOnceWith({ grant: "G1" }, "fail");
    expect(pickFiles).toHaveBeenCalledExactlyOnceWith("archive");
  });
});

describe("a backup", () => {
  it("goes to the chosen folder", async () => {
    const pickFolder = vi.fn(() => Promise.resolve({ grant: "G2", name: "Backups" }));
    open(fakeDesktop({ pickFolder }));
    await userEvent.click(screen.getByTestId("backup"));
    await screen.findByTestId("job-backup");
    expect(backend.archive.backup).toHaveBeenCalledExactlyOnceWith("G2");
    expect(pickFolder).toHaveBeenCalledExactlyOnceWith("backup");
    const result = { folder: "/media/fumikura-1", assets: 4, missing: ["A1"] };
    emitJob(job("backup", { state: "done", result: result as unknown as Job["result"] }));
    await waitFor(() =>
      expect(outcomeText("backup")).toBe(
        "Backed up everything to /media/fumikura-1, including 4 page files.1 file isn’t included because its contents are missing.",
      ),
    );
  });

  it("does not start after a cancelled dialog", async () => {
    open(fakeDesktop());
    await userEvent.click(screen.getByTestId("backup"));
    expect(backend.archive.backup).not.toHaveBeenCalled();
  });
});

describe("an export", () => {
  it("in the window reports the saved file", async () => {
    const desktop = fakeDesktop({ saveFile: vi.fn(() => Promise.resolve({ name: "wiki.zip" })) });
    open(desktop);
    await userEvent.click(screen.getByRole("radio", { name: "Obsidian" }));
    await host.press("x");
    expect(desktop.saveFile).toHaveBeenCalledExactlyOnceWith({ export: { form: "vault" } });
    expect(host.toasts).toEqual(["Exported as wiki.zip"]);
  });

  it("of a moment holds the wiki of then", async () => {
    const desktop = fakeDesktop({ saveFile: vi.fn(() => Promise.resolve(null)) });
    open(desktop);
    const moment = screen.getByTestId("export-at");
    await fireEvent.input(moment, { target: { value: "2026-05-12T14:30" } });
    await host.press("x");
    const end = new Date(new Date("2026-05-12T14:30").getTime() + 59_999).toISOString();
    expect(desktop.saveFile).toHaveBeenLastCalledWith({ export: { form: "archive", at: end } });
    await fireEvent.input(moment, { target: { value: "2999-01-01T00:00" } });
    expect(screen.getByText("This is in the future.")).toBeDefined();
    expect(screen.getByTestId<HTMLButtonElement>("export").disabled).toBe(true);
    // A full archive has all moments.
    await userEvent.click(screen.getByRole("radio", { name: "A new wiki" }));
    await host.press("x");
    expect(desktop.saveFile).toHaveBeenLastCalledWith({ export: { form: "full" } });
  });

  it("is shown to its end beside another job", async () => {
    jobs = [job("export", { done: 1, total: 2 })];
    open();
    await waitFor(() => expect(outcomeText("export")).toContain("50% done"));
    emitJob(job("export", { id: "other", done: 9, total: 10 }));
    // By now a request would have been answered.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(outcomeText("export")).toContain("50% done");
    emitJob(job("export", { done: 3, total: 4 }));
    await waitFor(() => expect(outcomeText("export")).toContain("75% done"));
    emitJob(job("export", { id: "other", state: "failed", error: { code: "internal", message: "" } }));
    emitJob(job("export", { state: "done", result: { pages: 5, assets: 6, missing: [] } as unknown as Job["result"] }));
    await waitFor(() => expect(outcomeText("export")).toBe("Exported 5 pages.Exported 6 files."));
  });

  it("that is running is shown to later visitors", async () => {
    jobs = [job("export", { done: 1, total: 2 }), job("export", { id: "old", state: "done" })];
    open();
    await waitFor(() => expect(outcomeText("export")).toContain("50% done"));
    emitJob(job("export", { state: "done", result: { pages: 5, assets: 6, missing: [] } as unknown as Job["result"] }));
    await waitFor(() => expect(outcomeText("export")).toBe("Exported 5 pages.Exported 6 files."));
  });
});

describe("backups", () => {
  const backup = (more: Partial<BackupItem>): BackupItem => ({
    name: "fumikura-2026-11-18T120000Z",
    version: 1,
    taken_at: "2026-11-18T12:00:00Z",
    cause: "schedule",
    pages: 12,
    revisions: 30,
    assets: 1,
    bytes: 4096,
    rows_sha256: "00",
    proved_at: "2026-11-18T12:00:05Z",
    read_in_full_at: "2026-11-03T12:00:00Z",
    faults: [],
    decreases: [],
    kept_by: ["newest_proved", "daily"],
    ...more,
  });
  const rows = () => screen.findAllByTestId("backup-row");

  it("are listed with proof and rules", async () => {
    made = [backup({}), backup({ name: "b", proved_at: null, read_in_full_at: null, faults: ["asset/: lost"], decreases: [{ what: "pages", before: 20, now: 12 }] })];
    open();
    const [proved, faulty] = (await rows()).map(({ textContent }) => textContent.replace(/\s+/g, " "));
    expect(proved).toContain("Proved 12 pages, 1 file, ");
    expect(proved).toMatch(/Read in full: \S+.*Kept: newest proved and daily/);
    expect(faulty).toContain("Has faults");
    expect(faulty).not.toContain("Read in full");
    expect(faulty).toContain("asset/: lost Far fewer pages: 20 → 12");
    expect(screen.getByTestId("backup-last").textContent).toContain("Last proved backup: ");
  });

  it("are read again when one ends", async () => {
    jobs = [job("backup")];
    open();
    await screen.findByText("There is no proved backup in the data folder yet.");
    made = [backup({})];
    emitJob(job("backup", { state: "done", result: { folder: "/d", assets: 0, missing: [], faults: ["rows differ"] } as unknown as Job["result"] }));
    expect(await rows()).toHaveLength(1);
    expect(outcomeText("backup")).toContain("The backup has 1 fault:");
  });

  it("lead to their pages", async () => {
    made = [backup({})];
    open();
    const [row] = await rows();
    expect(row?.querySelector("a")?.getAttribute("href")).toBe("/backups/fumikura-2026-11-18T120000Z");
  });

  it("that replace the data can be cancelled", async () => {
    pending = { version: 1, name: "b", taken_at: "2026-11-18T12:00:00Z" };
    open();
    expect((await screen.findByTestId("go-back-pending")).textContent).toContain("At the next start, all data will be those of Nov 18, 2026");
    await userEvent.click(screen.getByTestId("go-back-keep"));
    await waitFor(() => expect(screen.queryByTestId("go-back-pending")).toBeNull());
    expect(host.toasts).toEqual(["The present data stay"]);
  });

  it("are copied to a second place", async () => {
    place = { folder: "/media/usb", is_reachable: true, last_copied: null, failure: null };
    open();
    const section = await screen.findByText("Folder: /media/usb");
    expect(section).toBeDefined();
    expect(screen.getByTestId("second-place-copied").textContent.trim()).toBe("Nothing has been copied there yet.");
    await host.press("j");
    expect(await screen.findByTestId("job-copy_backup")).toBeDefined();
    place = { ...place, is_reachable: false, last_copied: "2026-11-18T12:00:00Z", failure: null };
    emitJob(job("copy_backup", { state: "done", result: { folder: "/media/usb/b" } as unknown as Job["result"] }));
    expect((await screen.findByTestId("second-place-away")).textContent).toContain("It isn’t connected now");
    expect(screen.getByTestId("second-place-copied").textContent).toContain("Last copied: Nov 18, 2026");
    expect(screen.queryByTestId("second-place-copy")).toBeNull();
    expect(outcomeText("copy_backup")).toBe("Copied to /media/usb/b");
  });

  it("leave no empty lines in a browser", async () => {
    open();
    const section = (await screen.findByTestId("second-place")).parentElement;
    expect([...(section?.querySelectorAll("div") ?? [])].filter(({ textContent }) => textContent.trim() === "")).toEqual([]);
  });

  it("are made daily if wanted", async () => {
    open();
    await userEvent.click(screen.getByTestId("backup-daily"));
    expect(ondaily).toHaveBeenCalledExactlyOnceWith(false);
  });
});

describe("two running jobs", () => {
  const buttonsOf = (kind: JobKind) => within(screen.getByTestId(`job-${kind}`)).getAllByRole("button");
  const keysOf = (kind: JobKind) => buttonsOf(kind).map((button) => button.getAttribute("aria-keyshortcuts"));

  it("are paused and cancelled by their own keys", async () => {
    jobs = [job("import"), job("backup")];
    open();
    await screen.findByTestId("job-backup");
    expect([keysOf("import"), keysOf("backup")]).toEqual([["Shift+i", "Alt+i"], ["Shift+b", "Alt+b"]]);
    await host.press("Shift+b");
    await host.press("Alt+i");
    expect(backend.jobs.pause).toHaveBeenCalledExactlyOnceWith("Jbackup", true);
    expect(backend.jobs.cancel).toHaveBeenCalledExactlyOnceWith("Jimport");
  });

  it("keep different keys when one ends", async () => {
    jobs = [job("import"), job("backup")];
    open();
    await screen.findByTestId("job-backup");
    const names = [...host.shortcuts].map(({ id }) => id);
    expect(new Set(names).size).toBe(names.length);
    emitJob(job("import", { state: "cancelled" }));
    await waitFor(() => expect(host.named("Shift+i")).toBeUndefined());
    expect(keysOf("backup")).toEqual(["Shift+b", "Alt+b"]);
    expect(host.named("Alt+b")).toBe("Cancel: Backup");
  });
});
