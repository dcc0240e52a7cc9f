import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, it, vi } from "vitest";
import type { Backend, ImportedText, ImportPreview, Job, JobKind, Migration } from "../api/backend";
import type { EventMap } from "../api/events/events";
import { fakeDesktop } from "../testing/fake-backend";
import { JobWatch } from "../jobs";
import { StubHost } from "../testing/stub-host";
import NotesImportSection from "./NotesImportSection.svelte";

const PREVIEW: ImportPreview = {
  id: "P1",
  format: "obsidian",
  source: "/home/aya/Vault",
  into: "/Vault",
  counts: { created: 2, updated: 1, unchanged: 0, kept: 1, renamed: 0, files: 3, earlier_files: 0, skipped: 4 },
  pages: [{ path: "/Vault/旅", origin: "旅.md", action: "create" }],
  kept: [{ path: "/Vault/Mine", origin: "Mine.md", action: "changed_here" }],
  skipped: [{ origin: ".obsidian/app.json", reason: "settings" }],
  skipped_by_reason: { settings: 4 },
  losses: { unresolved_link: 5 },
};
const COUNTS = { created: 2, updated: 1, unchanged: 0, kept: 1, attached: 3, files_unchanged: 0, files_kept: 0 };
const MIGRATION: Migration = {
  id: "M1",
  source: "/home/aya/Vault",
  format: "obsidian",
  into: "/Vault",
  created_at: "2026-11-29T12:00:00Z",
  user_name: "Aya",
  counts: COUNTS,
  report: "R1",
  undone: false,
};

function open() {
  const host = new StubHost();
  let jobs: Job[] = [];
  let progress: (data: EventMap["job.progress"]) => void = () => {};
  const started = (kind: JobKind) => {
    jobs = [{ id: `J${kind}`, kind, state: "running", done: 0, total: 0, started_at: "2026-11-29T12:00:00Z" }, ...jobs];
    return Promise.resolve(`J${kind}`);
  };
  const backend = {
    jobs: {
      list: () => Promise.resolve(jobs),
      get: (id: string) => Promise.resolve(jobs.find((job) => job.id === id) as Job),
      pause: vi.fn(),
      cancel: vi.fn(() => Promise.resolve()),
    },
    imports: {
      read: vi.fn(() => started("read_notes")),
      preview: vi.fn((_id: string, into: string) => Promise.resolve({ ...PREVIEW, into })),
      run: vi.fn(() => started("import_notes")),
      list: vi.fn((): Promise<Migration[]> => Promise.resolve([])),
      undo: vi.fn(() => Promise.resolve({ trashed: 3, restored: 1, kept: ["/Vault/Mine"] })),
    },
    importedTexts: {
      list: vi.fn((): Promise<ImportedText[]> => Promise.resolve([])),
      difference: vi.fn(),
      takeOver: vi.fn(),
      keep: vi.fn(),
    },
    desktop: { ...fakeDesktop(), pickFolder: vi.fn(() => Promise.resolve({ grant: "G1", name: "Vault" })) },
  } satisfies Pick<Backend, "imports" | "importedTexts" | "jobs" | "desktop">;
  const events = {
    on: (name: string, handler: (data: never) => void) => {
      if (name === "job.progress") progress = handler as typeof progress;
      return () => {};
    },
    onConnection: () => () => {},
  };
  const watch = new JobWatch({ ...backend, events });
  watch.listen();
  const end = (kind: JobKind, more: Partial<Job>) => {
    const job = { ...(jobs.find((one) => one.kind === kind) as Job), state: "done" as const, ...more };
    jobs = [job, ...jobs.filter((one) => one.kind !== kind)];
    progress({ job_id: job.id, kind, state: job.state, done: 1, total: 1 });
  };
  render(NotesImportSection, { backend, watch, host });
  return { backend, host, end };
}

/** Opens the dialog with the preview of a folder. */
async function openPreview() {
  const opened = open();
  await userEvent.click(screen.getByTestId("import-folder"));
  const dialog = await screen.findByTestId("import-dialog");
  opened.end("read_notes", { result: PREVIEW as unknown as Job["result"] });
  const counts = await screen.findByTestId("import-counts");
  return { ...opened, dialog, counts };
}

it("previews a folder", async () => {
  const { backend, dialog, counts } = await openPreview();
  expect(backend.desktop.pickFolder).toHaveBeenCalledExactlyOnceWith("notes");
  expect(backend.imports.read).toHaveBeenCalledExactlyOnceWith({ grant: "G1" });
  expect(within(counts).getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "2 pages added",
    "1 page updated",
    "1 page changed here, left as it is",
    "3 files attached",
    "4 items left out",
  ]);
  expect(dialog.textContent).toContain("/Vault/Mine");
  expect(dialog.textContent).toMatch(/Links to pages that don’t exist\s*5/);
  const { violations } = await axe.run(dialog, { rules: { "color-contrast": { enabled: false } } });
  expect(violations).toEqual([]);
});

it("imports to the chosen page, and undoes it", async () => {
  const { backend, host, end } = await openPreview();
  const into = screen.getByTestId("import-into");
  await userEvent.clear(into);
  await userEvent.type(into, "/notes");
  backend.imports.list.mockResolvedValue([MIGRATION]);
  await userEvent.click(screen.getByTestId("import-run"));
  expect(backend.imports.preview).toHaveBeenLastCalledWith("P1", "/notes");
  await waitFor(() => expect(backend.imports.run).toHaveBeenCalledExactlyOnceWith("P1", "/notes"));
  end("import_notes", { result: { id: "M1", counts: COUNTS, skipped: 4, report: "/notes/Import report" } as unknown as Job["result"] });
  expect((await screen.findByTestId("import-done")).textContent).toContain("3 files attached");
  await userEvent.click(screen.getByTestId("import-undo"));
  expect(backend.imports.undo).toHaveBeenCalledExactlyOnceWith("M1");
  await waitFor(() => expect(host.toasts).toEqual(["Undone: 4 pages. 1 page was changed since and stays."]));
  await screen.findByTestId("undo-import");
});

it("shows why a source can’t be read", async () => {
  const { end } = open();
  await userEvent.click(screen.getByTestId("import-folder"));
  await screen.findByTestId("import-dialog");
  end("read_notes", { state: "failed", error: { code: "unknown_source", message: "?" } });
  const reason = await screen.findByTestId("import-failed");
  expect(reason.textContent).toBe("No known app makes such a folder or file.");
});

it("cancels what it has started", async () => {
  const { backend } = open();
  await userEvent.click(screen.getByTestId("import-folder"));
  await userEvent.click(await screen.findByTestId("import-cancel"));
  expect(backend.jobs.cancel).toHaveBeenCalledExactlyOnceWith("Jread_notes");
  expect(screen.queryByTestId("import-dialog")).toBeNull();
});

it("leads to texts changed on both sides", async () => {
  const { backend, host, end } = await openPreview();
  const text: ImportedText = { id: "A1", page_id: "P1", path: "/Vault/Mine", source: "/home/aya/Vault", origin: "Mine.md", offered_at: "2026-11-29T12:00:00Z" };
  backend.importedTexts.list.mockResolvedValue([text]);
  await userEvent.click(screen.getByTestId("import-run"));
  await waitFor(() => expect(backend.imports.run).toHaveBeenCalled());
  end("import_notes", { result: { id: "M1", counts: COUNTS, skipped: 4, report: "/Vault/Import report" } as unknown as Job["result"] });
  expect((await screen.findByTestId("compare-imported")).getAttribute("href")).toBe("/imported-texts");
  await userEvent.click(await screen.findByTestId("import-compare"));
  expect(host.visited).toEqual(["/imported-texts"]);
});

it("says that nothing has changed", async () => {
  const { backend, end } = await openPreview();
  await userEvent.click(screen.getByTestId("import-run"));
  await waitFor(() => expect(backend.imports.run).toHaveBeenCalled());
  const counts = { ...COUNTS, created: 0, updated: 0, unchanged: 3, attached: 0 };
  end("import_notes", { result: { id: null, counts, skipped: 4, report: null } as unknown as Job["result"] });
  await screen.findByTestId("import-done");
  expect(screen.getByTestId("import-dialog").textContent).toContain("Nothing has changed since the last import.");
  expect(screen.queryByTestId("import-report")).toBeNull();
  expect(screen.queryByTestId("import-undo")).toBeNull();
});
