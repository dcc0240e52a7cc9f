// The question about names that are taken in the destination.
import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { FileConflict, FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { ApiError } from "../../api/errors";
import { StubHost } from "../../testing/stub-host";
import { FileActions, type EntryConflict } from "./file-actions.svelte";
import NameConflictDialog from "./NameConflictDialog.svelte";

const entry = (name: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const facts = (size: number, day: number) => ({ size, mtime: `2026-11-${day}T00:00:00Z`, is_folder: false });
const [a, b, c] = ["a.jpg", "b.jpg", "c.jpg"].map(entry) as [FolderEntry, FolderEntry, FolderEntry];
const folder = { root: "R1", path: canonicalPath("") };
const to = { root: "R1", path: canonicalPath("Trips"), name: "Trips" };
const conflictOf = (one: FolderEntry, identical: boolean | null): EntryConflict => ({ entry: one, file: facts(2_048, 20), existing: facts(1_024, 10), identical });

let backend: FakeBackend;
const onanswer = vi.fn<(existing: unknown) => void>();

beforeEach(() => {
  vi.clearAllMocks();
  backend = new FakeBackend();
});

function ask(conflicts: EntryConflict[]) {
  const names = conflicts.map(({ entry: { name } }) => name);
  render(NameConflictDialog, { names, count: names.length, identical: 1, conflicts, from: folder, to, folders: backend.folders, onanswer, onclose: () => {} });
}

it("shows both files, and whether they are identical", () => {
  ask([conflictOf(a, true), conflictOf(b, false), conflictOf(c, null)]);
  const verdicts = screen.getAllByTestId("conflict-verdict").map(({ textContent }) => textContent);
  expect(verdicts).toEqual(["Identical", "Different", "Too large to compare"]);
  const [first] = screen.getAllByTestId("conflict");
  const text = first?.textContent.replaceAll(/\s+/g, " ");
  expect(text).toContain("Your file 2 KiB");
  expect(text).toContain("Already there 1 KiB");
  expect(text?.match(/newer/g)).toHaveLength(1);
});

it("shows both as they were turned and cropped", async () => {
  const crop = { x: 0.1, y: 0.1, width: 0.8, height: 0.8, angle: 0 };
  backend.on("GET /api/folders", ({ query, encoded }) => {
    expect([encoded.path, query.around, query.limit]).toEqual(["Trips", "a.jpg", "1"]);
    return { root: "R1", path: "Trips", listing: "1", total: 1, pictures: 1, unread: 0, offset: 0, entries: [{ ...a, id: "there", turn: 3, crop }] };
  });
  const thumbs = vi.spyOn(backend.folders, "thumbUrl");
  ask([conflictOf({ ...a, turn: 6 }, false)]);
  expect(thumbs).toHaveBeenCalledWith(expect.objectContaining({ path: "a.jpg", id: "id-a.jpg", turn: 6 }));
  await vi.waitFor(() => expect(thumbs).toHaveBeenCalledWith(expect.objectContaining({ path: "Trips/a.jpg", id: "there", turn: 3, crop })));
});

it("has a choice for each, and for all", async () => {
  ask([conflictOf(a, true), conflictOf(b, false), conflictOf(c, null)]);
  const choices = screen.getAllByTestId("conflict-choice");
  expect(choices.map((choice) => (choice as HTMLSelectElement).value)).toEqual(["skip", "keep_both", "keep_both"]);
  await userEvent.selectOptions(choices[1] as HTMLElement, "replace");
  await userEvent.click(screen.getByTestId("name-conflict-apply"));
  const decide = onanswer.mock.lastCall?.[0] as (one: FolderEntry) => string;
  expect([a, b, c, entry("d.jpg")].map(decide)).toEqual(["skip", "replace", "keep_both", "keep_both"]);
  await userEvent.click(screen.getByTestId("name-conflict-replace"));
  expect(onanswer).toHaveBeenLastCalledWith("replace");
});

it("one file has no choice of its own", () => {
  ask([conflictOf(a, false)]);
  expect(screen.queryByTestId("conflict-choice")).toBeNull();
  expect(within(screen.getByTestId("name-conflict-dialog")).getByTestId("name-conflict-keep").textContent.trim()).toBe("Keep both");
});

it("each decision is carried out", async () => {
  const host = new StubHost();
  const actions = new FileActions(backend, host, { folder: () => folder, targets: () => Promise.resolve([a, b, c]), hold: (work) => work(), onrenamed: () => Promise.resolve() });
  const found: FileConflict[] = [{ item: 1, file: facts(1, 10), existing: facts(1, 10), identical: true }];
  backend.conflictsNow = { count: 1, conflicts: found };
  backend.filesDone = new ApiError("file_name_taken", 409, "", { names: ["b.jpg"], count: 1 });
  await actions.transfer("move", { folder, entries: [a, b, c] }, to);
  expect(actions.dialog).toMatchObject({ kind: "conflict", conflicts: [{ entry: { name: "b.jpg" }, identical: true }] });
  backend.filesDone = { operation: "O1", done: 1, skipped: 0, failed: [] };
  backend.files.move.mockClear();
  await actions.transfer("move", { folder, entries: [a, b, c] }, to, (one) => (one === a ? "replace" : one === b ? "skip" : "keep_both"));
  const calls = backend.files.move.mock.calls.map(([items, , existing]) => [existing, items.map(({ path }) => path)]);
  expect(calls).toEqual([["replace", ["a.jpg"]], ["keep_both", ["c.jpg"]]]);
  expect(host.toasts).toEqual(["Moved 2 files to “Trips”"]);
  await actions.transfer("move", { folder, entries: [b] }, to, () => "skip");
  expect(backend.files.move).toHaveBeenCalledTimes(2);
  expect(host.toasts.at(-1)).toBe("Nothing was changed.");
});
