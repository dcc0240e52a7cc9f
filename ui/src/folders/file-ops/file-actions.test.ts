import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FilesDone, FolderEntry, Job } from "../../api/backend";
import { ApiError, type UndoObstacle } from "../../api/errors";
import { canonicalPath, ROOT_PATH } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import type { EntrySet } from "../entries/folder-place";
import { FileActions, type FileContext } from "./file-actions.svelte";

const entry = (name: string): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z" });
const [a, b] = [entry("a.jpg"), entry("b.jpg")];
const folder = { root: "R1", path: canonicalPath("x") };
const to = { root: "R1", path: canonicalPath("y"), name: "Why" };
const both: EntrySet = { folder, entries: [a, b] };
const one: EntrySet = { folder, entries: [a] };
const place = (name: string) => ({ root: "R1", path: `x/${name}` });
const done = (count: number, more: Partial<FilesDone> = {}): FilesDone => ({ operation: "O1", done: count, skipped: 0, failed: [], ...more });
const failed = (name: string) => ({ name, error: { code: "bin_unavailable" as const, message: "" } });

let backend: FakeBackend;
let host: StubHost;
let context: FileContext;
let held: number;
const onrenamed = vi.fn<FileContext["onrenamed"]>(() => Promise.resolve());
let currentFolder = folder;
let targets: FolderEntry[];
let actions: FileActions;

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  currentFolder = folder;
  targets = [a];
  held = 0;
  onrenamed.mockClear();
  context = {
    folder: () => currentFolder,
    targets: () => Promise.resolve(targets),
    hold: (work) => {
      held += 1;
      return work();
    },
    onrenamed,
  };
  actions = new FileActions(backend, host, context);
});

const nameTaken = (names: string[], count = names.length, identical?: number) => new ApiError("file_name_taken", 409, "", { names, count, identical });

describe("dialogs", () => {
  it("have the targets and their folder", async () => {
    await actions.openRenameDialog();
    expect(actions.dialog).toEqual({ kind: "rename", chosen: one });
    await actions.openTargetDialog("copy");
    expect(actions.dialog).toEqual({ kind: "target", how: "copy", chosen: one });
  });

  it("do not open without targets", async () => {
    targets = [];
    await actions.openRenameDialog();
    await actions.openTargetDialog("move");
    expect(actions.dialog).toBeNull();
    expect(await actions.moveToTrash()).toBe(false);
    expect(backend.files.bin).not.toHaveBeenCalled();
  });

  it("do not open after the folder has changed", async () => {
    context.targets = () => {
      currentFolder = { ...folder, path: ROOT_PATH };
      return Promise.resolve([b]);
    };
    await actions.openRenameDialog();
    expect(actions.dialog).toBeNull();
    currentFolder = folder;
    expect(await actions.moveToTrash()).toBe(false);
    expect(backend.files.bin).not.toHaveBeenCalled();
  });
});

describe("renaming", () => {
  it("is reported while updates are paused", async () => {
    await actions.openRenameDialog();
    await actions.rename(folder, [{ from: a, to: "c.jpg" }]);
    expect(actions.dialog).toBeNull();
    expect(held).toBe(1);
    expect(onrenamed).toHaveBeenCalledExactlyOnceWith(folder, new Map([["a.jpg", "c.jpg"]]));
    expect(host.toasts).toEqual(["Renamed to “c.jpg”"]);
  });

  it("skips unchanged names", async () => {
    backend.filesDone = done(2);
    await actions.rename(folder, [{ from: a, to: "a.jpg" }]);
    expect(backend.files.rename).not.toHaveBeenCalled();
    await actions.rename(folder, [{ from: a, to: "a.jpg" }, { from: b, to: "c" }, { from: entry("c"), to: "b.jpg" }]);
    expect(backend.files.rename.mock.lastCall?.[1]).toHaveLength(2);
    expect(host.toasts).toEqual(["Renamed 2 files"]);
  });

  it("shows a refusal in the open dialog", async () => {
    backend.filesDone = nameTaken(["c.jpg"]);
    await actions.openRenameDialog();
    await expect(actions.rename(folder, [{ from: a, to: "c.jpg" }])).rejects.toEqual(backend.filesDone);
    expect(actions.dialog?.kind).toBe("rename");
    expect([host.toasts, onrenamed.mock.calls]).toEqual([[], []]);
  });

  it("shows a refusal after the dialog was closed", async () => {
    backend.filesDone = new ApiError("not_permitted", 403, "");
    await actions.openRenameDialog();
    const renaming = actions.rename(folder, [{ from: a, to: "c.jpg" }]);
    actions.close();
    await renaming;
    expect(host.toasts).toEqual(["Couldn’t rename “a.jpg”: Permission denied."]);
  });

  it("leaves another dialog open that was opened meanwhile", async () => {
    await actions.openRenameDialog();
    const renaming = actions.rename(folder, [{ from: a, to: "c.jpg" }]);
    actions.openRecentDialog();
    await renaming;
    expect(actions.dialog).toEqual({ kind: "recent" });
  });
});

describe("moving and copying", () => {
  it.each([
    ["move", one, 1, "Moved “a.jpg” to “Why”"],
    ["copy", one, 1, "Copied “a.jpg” to “Why”"],
    ["move", both, 2, "Moved 2 files to “Why”"],
    ["copy", both, 1, "Copied 1 file to “Why”"],
  ] as const)("%s: reports %#", async (how, chosen, count, words) => {
    backend.filesDone = done(count);
    await actions.transfer(how, chosen, to);
    expect(backend.files[how]).toHaveBeenCalledExactlyOnceWith(chosen.entries.map(({ name }) => place(name)), to, "refuse");
    expect(host.toasts).toEqual([words]);
  });

  it("a copy in the same folder is renamed", async () => {
    await actions.transfer("copy", one, { ...folder, name: "x" });
    expect(backend.files.copy.mock.lastCall?.[2]).toBe("keep_both");
  });

  it("a copy from a subfolder keeps its name", async () => {
    const deep: EntrySet = { folder, entries: [{ ...a, folder: "Kyoto" }] };
    await actions.transfer("copy", deep, { ...folder, name: "x" });
    await actions.transfer("copy", deep, { root: "R1", path: canonicalPath("x/Kyoto"), name: "Kyoto" });
    expect(backend.files.copy.mock.calls.map(([, , existing]) => existing)).toEqual(["refuse", "keep_both"]);
  });

  it("a mixed copy is undone as one", async () => {
    const some: EntrySet = { folder, entries: [a, { ...b, folder: "Kyoto" }] };
    let operations = 0;
    backend.files.copy.mockImplementation(() => Promise.resolve(done(1, { operation: `O${(operations += 1)}` })));
    await actions.transfer("copy", some, { ...folder, name: "x" }, "replace");
    expect(backend.files.copy.mock.calls.map(([items, , existing]) => [items, existing])).toEqual([
      [[place("Kyoto/b.jpg")], "replace"],
      [[place("a.jpg")], "keep_both"],
    ]);
    expect(host.toasts).toEqual(["Copied 2 files to “x”"]);
    await host.open[0]?.options.undo?.();
    expect(backend.files.undo.mock.calls).toEqual([["O2"], ["O1"]]);
  });

  it("a mixed copy waits for the conflict's answer", async () => {
    backend.filesDone = nameTaken(["b.jpg"]);
    await actions.transfer("copy", { folder, entries: [a, { ...b, folder: "Kyoto" }] }, { ...folder, name: "x" });
    expect(backend.files.copy).toHaveBeenCalledOnce();
    expect(actions.dialog).toMatchObject({ kind: "conflict", from: folder, names: ["b.jpg"] });
  });

  it("a copy without a free name asks nothing", async () => {
    backend.filesDone = nameTaken(["a.jpg"]);
    await actions.transfer("copy", one, { ...folder, name: "x" });
    expect(actions.dialog).toBeNull();
    expect(host.toasts).toHaveLength(1);
  });

  it.each(["keep_both", "replace", "skip"] as const)("asks about used names: %s", async (existing) => {
    backend.filesDone = nameTaken(["a.jpg"], 3, 2);
    await actions.transfer("move", both, to);
    const dialog = actions.dialog;
    expect(dialog).toEqual({ kind: "conflict", from: both.folder, to, names: ["a.jpg"], count: 3, identical: 2, conflicts: [], onanswer: expect.any(Function) as unknown });
    expect(host.toasts).toEqual([]);
    backend.filesDone = existing === "skip" ? { done: 0, skipped: 2, failed: [] } : done(2);
    if (dialog?.kind === "conflict") dialog.onanswer(existing);
    await vi.waitFor(() => expect(backend.files.move.mock.lastCall?.[2]).toBe(existing));
    expect(actions.dialog).toBeNull();
    await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
    expect(host.toasts).toEqual([existing === "skip" ? "Nothing was changed." : "Moved 2 files to “Why”"]);
  });

  it("asks once and reports later failures", async () => {
    backend.filesDone = nameTaken(["a.jpg"]);
    await actions.transfer("move", both, to, "keep_both");
    expect(actions.dialog).toBeNull();
    expect(host.toasts).toEqual(["A file with this name already exists."]);
  });

  it("reports failures until they are dismissed", async () => {
    backend.filesDone = done(1, { failed: [failed("b\n.jpg")] });
    await actions.transfer("move", both, to);
    expect(host.toasts).toEqual(["Moved 1 file to “Why”", "Couldn’t move “b\\n.jpg”: There is no Trash for this disk. The file hasn’t been changed."]);
    expect(host.open[1]?.options).toMatchObject({ tone: "bad", duration: null });
    backend.filesDone = { done: 0, skipped: 0, failed: [failed("a.jpg"), failed("b.jpg")] };
    await actions.transfer("copy", both, to);
    expect(host.toasts.slice(2)).toEqual(["Couldn’t copy 2 files. “a.jpg”: There is no Trash for this disk. The file hasn’t been changed."]);
  });

  it.each([
    [one, "not_permitted", ["Couldn’t move “a.jpg”: Permission denied."]],
    [both, "not_permitted", ["Permission denied."]],
    [one, "unreachable", [new StubHost().describe(new ApiError("unreachable", 0, ""))]],
    [one, "cancelled", []],
  ] as const)("reports a failure once: %#", async (chosen, code, words) => {
    backend.filesDone = new ApiError(code, 400, "");
    await actions.transfer("move", chosen, to);
    expect(host.toasts).toEqual(words);
  });
});

describe("the trash", () => {
  it("takes the targets without a question", async () => {
    expect(await actions.moveToTrash()).toBe(true);
    expect(backend.files.bin).toHaveBeenCalledExactlyOnceWith([place("a.jpg")]);
    expect([host.toasts, host.questions]).toEqual([["Moved “a.jpg” to Trash"], []]);
  });

  it("receives each file once despite fast presses", async () => {
    targets = [a, b];
    const first = actions.moveToTrash();
    targets = [b];
    expect(await actions.moveToTrash()).toBe(false);
    await first;
    expect(backend.files.bin).toHaveBeenCalledOnce();
    expect(await actions.moveToTrash()).toBe(true);
  });

  it("reports when nothing was moved", async () => {
    backend.filesDone = { done: 0, skipped: 1, failed: [] };
    expect(await actions.moveToTrash()).toBe(false);
    backend.filesDone = new ApiError("bin_unavailable", 422, "");
    expect(await actions.moveToTrash()).toBe(false);
    expect(host.toasts).toEqual(["Nothing was changed.", "Couldn’t move “a.jpg” to Trash: There is no Trash for this disk. The file hasn’t been changed."]);
  });
});

describe("undoing", () => {
  const undo = async () => {
    await actions.moveToTrash();
    return host.open[0]?.options.undo?.();
  };

  it("is offered by the message", async () => {
    await undo();
    expect(backend.files.undo).toHaveBeenCalledExactlyOnceWith("O1");
    expect(host.toasts[1]).toBe("Restored 1 file");
  });

  it.each([true, false])("undoes the rest on request: %s", async (answer) => {
    host.confirmAnswer = answer;
    backend.files.undo.mockRejectedValueOnce(new ApiError("changed_since", 409, "", { names: ["a.jpg"], reasons: ["taken"], count: 1 }));
    await undo();
    expect(host.questions).toEqual([
      {
        title: "Some changes can’t be undone",
        message: "1 file can’t be restored:",
        each: [{ name: "a.jpg", words: "Another file is in its place." }],
        more: undefined,
        confirm: "Undo the rest",
      },
    ]);
    expect(backend.files.undo.mock.calls).toEqual(answer ? [["O1"], ["O1", true]] : [["O1"]]);
    expect(host.toasts.slice(1)).toEqual(answer ? ["Restored 1 file"] : []);
  });

  const stuck = (name: string, reason: UndoObstacle) => {
    return { name, error: { code: "changed_since" as const, message: "", names: [name], reasons: [reason], count: 1 } };
  };

  it("lists the reason for each stuck file", async () => {
    const reasons: UndoObstacle[] = ["changed", "gone", "taken", "left_bin", "folder_gone", "opened", "unreadable"];
    const names = reasons.map((_, at) => `${at}.jpg`);
    backend.files.undo.mockRejectedValueOnce(new ApiError("changed_since", 409, "", { names, reasons, count: 120 }));
    await undo();
    const [question] = host.questions;
    expect(question?.message).toBe("120 files can’t be restored:");
    expect(question?.each?.map(({ name, words }) => `${name}: ${words}`)).toEqual([
      "0.jpg: It has changed since.",
      "1.jpg: It no longer exists.",
      "2.jpg: Another file is in its place.",
      "3.jpg: It is no longer in Trash.",
      "4.jpg: Its folder no longer exists.",
      "5.jpg: It, or a folder in it, has since been opened in Fumikura.",
    ]);
    expect(question?.more).toBe("and 114 more");
  });

  it("reports each file that was not undone", async () => {
    backend.files.undo.mockResolvedValueOnce(done(0, { failed: [stuck("a.jpg", "sidecar_stays")] }));
    await undo();
    expect(host.toasts.slice(1)).toEqual(["Couldn’t restore “a.jpg”: Its XMP file (rating and tags) can’t be restored with it."]);
  });

  it("reports several failures once, with a count", async () => {
    const all = [stuck("a", "changed"), stuck("b", "gone"), failed("c"), stuck("d", "taken"), stuck("e", "taken")];
    backend.files.undo.mockResolvedValueOnce(done(1, { failed: all }));
    await undo();
    expect(host.toasts.slice(1)).toEqual([
      "Restored 1 file",
      [
        "Couldn’t restore 5 files:",
        "“a”: It has changed since.",
        "“b”: It no longer exists.",
        "“c”: There is no Trash for this disk. The file hasn’t been changed.",
        "and 2 more",
      ].join("\n"),
    ]);
  });

  it("can be repeated once the server answers", async () => {
    const error = new ApiError("unreachable", 0, "");
    backend.files.undo.mockRejectedValueOnce(error);
    await expect(undo()).rejects.toBe(error);
  });

  it("offers to do it again", async () => {
    backend.files.undo.mockResolvedValueOnce(done(1, { operation: undefined, redo: "O2" }));
    backend.files.undo.mockResolvedValueOnce(done(1, { operation: undefined, redo: "O3" }));
    await undo();
    await host.open.at(-1)?.options.redo?.();
    expect(backend.files.undo.mock.calls).toEqual([["O1"], ["O2"]]);
    expect(host.toasts.slice(1)).toEqual(["Restored 1 file", "Redone for 1 file"]);
    await host.open.at(-1)?.options.undo?.();
    expect(backend.files.undo).toHaveBeenLastCalledWith("O3");
  });

  it("of an operation undone elsewhere is reported", async () => {
    backend.files.undo.mockRejectedValueOnce(new ApiError("operation_not_found", 404, ""));
    await undo();
    expect(host.toasts[1]).toBe("This has already been undone, or is too old to undo.");
  });

  it("of a rename applies the former names", async () => {
    backend.filesDone = done(2);
    await actions.rename(folder, [{ from: a, to: "c.jpg" }, { from: b, to: "a.jpg" }]);
    await host.open[0]?.options.undo?.();
    expect(held).toBe(2);
    expect(onrenamed).toHaveBeenCalledTimes(2);
    expect(onrenamed).toHaveBeenLastCalledWith(folder, new Map([["c.jpg", "a.jpg"], ["a.jpg", "b.jpg"]]));
  });

  it("of a rename skips names that stay", async () => {
    backend.filesDone = done(2);
    await actions.rename(folder, [{ from: a, to: "c.jpg" }, { from: b, to: "a.jpg" }]);
    backend.files.undo.mockRejectedValueOnce(new ApiError("changed_since", 409, "", { names: ["a.jpg"], count: 1 }));
    backend.files.undo.mockResolvedValueOnce(done(1, { failed: [failed("a.jpg")] }));
    await host.open[0]?.options.undo?.();
    expect(onrenamed).toHaveBeenLastCalledWith(folder, new Map([["c.jpg", "a.jpg"]]));
    await actions.rename(folder, [{ from: a, to: "c.jpg" }]);
    backend.filesDone = done(0, { skipped: 1 });
    await host.open.at(-1)?.options.undo?.();
    expect(onrenamed).toHaveBeenLastCalledWith(folder, new Map());
  });

  it("of other operations does not hold the view", async () => {
    await undo();
    expect([held, onrenamed.mock.calls]).toEqual([0, []]);
  });
});

describe("undoing a rename in several folders", () => {
  const FOLDERS = ["Kyoto", "Nara", "Uji"];
  const undo = () => host.open[0]?.options.undo?.();
  const undoCalls = () => backend.files.undo.mock.calls;

  beforeEach(async () => {
    backend.files.rename.mockImplementation(({ path }) => Promise.resolve(done(1, { operation: path.slice(2) })));
    await actions.rename(folder, FOLDERS.map((within) => ({ from: { ...a, folder: within }, to: "c.jpg" })));
    onrenamed.mockClear();
  });

  it("is reported once", async () => {
    await undo();
    expect(undoCalls()).toEqual([["Uji"], ["Nara"], ["Kyoto"]]);
    expect(host.toasts).toEqual(["Renamed 3 files", "Restored 3 files"]);
    expect(onrenamed).toHaveBeenCalledTimes(3);
  });

  it("continues at its interruption", async () => {
    const error = new ApiError("unreachable", 0, "");
    backend.files.undo.mockResolvedValueOnce(done(1));
    backend.files.undo.mockRejectedValueOnce(error);
    await expect(undo()).rejects.toBe(error);
    expect(host.toasts.slice(1)).toEqual(["Restored 1 file"]);
    backend.files.undo.mockClear();
    await undo();
    expect(undoCalls()).toEqual([["Nara"], ["Kyoto"]]);
    expect(host.toasts.slice(2)).toEqual(["Restored 2 files"]);
  });

  it.each([true, false])("asks once for all that can't be: %s", async (answer) => {
    host.confirmAnswer = answer;
    const stuck = (name: string, reason: UndoObstacle) => new ApiError("changed_since", 409, "", { names: [name], reasons: [reason], count: 4 });
    backend.files.undo.mockRejectedValueOnce(stuck("u.jpg", "taken"));
    backend.files.undo.mockResolvedValueOnce(done(1));
    backend.files.undo.mockRejectedValueOnce(stuck("k.jpg", "gone"));
    await undo();
    expect(host.questions.map(({ message, each, more }) => [message, each?.map(({ name, words }) => `${name}: ${words}`), more])).toEqual([
      ["8 files can’t be restored:", ["u.jpg: Another file is in its place.", "k.jpg: It no longer exists."], "and 6 more"],
    ]);
    expect(undoCalls().slice(3)).toEqual(answer ? [["Uji", true], ["Kyoto", true]] : []);
    expect(host.toasts.slice(1)).toEqual([answer ? "Restored 3 files" : "Restored 1 file"]);
    backend.files.undo.mockClear();
    await undo();
    expect(undoCalls()).toEqual([]);
  });

  it("reports operations undone elsewhere once", async () => {
    backend.files.undo.mockRejectedValue(new ApiError("operation_not_found", 404, ""));
    await undo();
    expect(host.toasts.slice(1)).toEqual(["This has already been undone, or is too old to undo."]);
  });
});

describe("a long operation", () => {
  const job = (state: Job["state"], progress = 0): Job =>
    ({ id: "J1", kind: "move_files", state, done: progress, total: 3, started_at: "2026-11-20T00:00:00Z" });

  it.each<[string, FilesDone | ApiError, [string, string] | null]>([
    ["in full", done(2), ["Move of files finished", ""]],
    ["in part", done(1, { failed: [failed("b.jpg")] }), ["Move of files finished", "reason"]],
    ["for no file", done(0, { failed: [failed("a.jpg")] }), ["Move of files failed", "reason"]],
    ["with an error", new ApiError("disk_full", 507, ""), ["Move of files failed", "reason"]],
    ["on request", new ApiError("cancelled", 409, ""), null],
  ])("ending %s notifies a user elsewhere", async (_, outcome, expected) => {
    vi.useFakeTimers();
    const desktop = fakeDesktop();
    backend.desktop = desktop;
    backend.files.move.mockImplementationOnce(async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    });
    await actions.transfer("move", both, to);
    vi.useRealTimers();
    const notified = vi.mocked(desktop.notify).mock.calls.map(([{ title, body, address }]) => [title, body && "reason", address]);
    expect(notified).toEqual(expected === null ? [] : [[...expected, "/"]]);
  });

  it("that is short is not notified", async () => {
    const desktop = fakeDesktop();
    backend.desktop = desktop;
    await actions.transfer("move", both, to);
    expect(desktop.notify).not.toHaveBeenCalled();
  });

  it("shows its progress and can be cancelled", async () => {
    vi.useFakeTimers();
    const stop = actions.listen();
    let answer: (done: FilesDone) => void = () => {};
    backend.files.move.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    backend.jobs.cancel.mockResolvedValueOnce(undefined);
    const moving = actions.transfer("move", both, to);
    await vi.advanceTimersByTimeAsync(999);
    expect(host.open).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    backend.emitJob({ ...job("running"), id: "J0", kind: "import" });
    expect(actions.progress).toBeNull();
    backend.emitJob(job("running", 1));
    expect(actions.progress).toBe("Moving: 33%");
    await host.open[0]?.options.action?.run();
    expect(backend.jobs.cancel).toHaveBeenCalledExactlyOnceWith("J1");
    answer(done(1));
    await moving;
    expect([actions.progress, host.open.map(({ message }) => message)]).toEqual([null, ["Moved 1 file to “Why”"]]);
    // A job of another client.
    backend.emitJob(job("running", 2));
    expect(actions.progress).toBeNull();
    stop();
    vi.useRealTimers();
  });

  it.each([[false, "Undoing: 33%"], [true, "Redoing: 33%"]])("names its direction: redo %s", async (undone, words) => {
    const stop = actions.listen();
    let answer: (done: FilesDone) => void = () => {};
    backend.files.undo.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const reversing = actions.undo({ id: "O1", undone });
    backend.emitJob({ ...job("running", 1), kind: "undo_files" });
    expect(actions.progress).toBe(words);
    answer(done(1));
    await reversing;
    stop();
  });
});

describe("pages", () => {
  it("are requested only for pictures", async () => {
    await actions.openPageDialog();
    expect(actions.dialog).toEqual({ kind: "page", pictures: [{ ...place("a.jpg"), name: "a.jpg" }] });
    actions.close();
    targets = [{ ...a, kind: "folder" }];
    await actions.openPageDialog();
    expect(actions.dialog).toBeNull();
    expect(host.toasts.at(-1)).toBe("Select one or more pictures to insert.");
  });

  it("copies the gallery to the clipboard", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
    await actions.copyGallery();
    expect(writeText).toHaveBeenCalledExactlyOnceWith("```gallery\nfolder: /photos/x\n```\n");
    backend.rootsNow = [];
    await actions.copyGallery();
    expect(writeText).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });
});
