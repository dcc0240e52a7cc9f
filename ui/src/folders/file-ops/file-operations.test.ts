// File operations in the view, by keyboard only, with notifications of the server before its answers.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { formatNumber } from "../../i18n";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { sessionMemory } from "../session/session-memory";

const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({ name, kind, size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}` });
const placeAt = (view: string | null = null, path = "") => ({ root: "R1", path: canonicalPath(path), view: view === null ? null : canonicalPath(view) });

let backend: FakeBackend;
let host: StubHost;
let readings = 1;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [
    { id: "R1", name: "Photos", path: "/photos", available: true },
    { id: "R2", name: "Scans", path: "/scans", available: true },
  ];
  backend.entries = ["a.jpg", "b.jpg", "c.jpg"].map((name) => entry(name));
  host = new StubHost();
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc" } }, 0);
});

async function open(view: string | null = null) {
  const room = openPictures({ place: placeAt(view), backend, host });
  // Rerenders for the requested address, as the frame does.
  host.navigate = async (url) => {
    host.visited.push(url);
    await room.rerender({ place: placeAt(new URL(url, "http://x").searchParams.get("view")) });
    return true;
  };
  await screen.findAllByTestId("cell");
  return room;
}

const names = () => screen.queryAllByTestId("cell").map((cell) => cell.dataset["name"]);
const selected = () => screen.getAllByTestId("cell").filter((cell) => cell.getAttribute("aria-selected") === "true").map((cell) => cell.dataset["name"]);
const focused = () => (document.activeElement as HTMLElement).dataset["name"];
const image = () => screen.getByTestId("viewer-image").getAttribute("src");
const requests = () => backend.folders.list.mock.calls.length;

async function goTo(name: string) {
  await waitFor(() => expect(focused()).toBeDefined());
  await userEvent.keyboard("{Home}");
  while (focused() !== name) await userEvent.keyboard("{ArrowRight}");
}

/** Replaces the contents of the folder, and notifies at once. */
function become(...entries: string[]) {
  backend.entries = entries.map((name) => backend.entries.find((one) => one.name === name) ?? entry(name));
  backend.reading = String((readings += 1));
  backend.emit("folder.changed", { root: "R1", path: "" });
}

/** Notifies of the change, and answers a moment later. */
const done = (...entries: string[]) => async () => {
  become(...entries);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { operation: "O1", done: 1, skipped: 0, failed: [] };
};

describe("renaming", () => {
  const field = () => screen.findByTestId<HTMLInputElement>("rename-name");

  it("selects the stem and keeps focus and selection", async () => {
    await open();
    await goTo("a.jpg");
    backend.files.rename.mockImplementationOnce(done("b.jpg", "c.jpg", "z.jpg"));
    await host.act("files-rename");
    const box = await field();
    expect([document.activeElement, box.value.slice(box.selectionStart ?? 0, box.selectionEnd ?? 0)]).toEqual([box, "a"]);
    await userEvent.keyboard("z{Enter}");
    await waitFor(() => expect(screen.queryByTestId("rename-files")).toBeNull());
    await waitFor(() => expect(names()).toEqual(["b.jpg", "c.jpg", "z.jpg"]));
    await waitFor(() => expect([focused(), selected()]).toEqual(["z.jpg", ["z.jpg"]]));
    expect(backend.files.rename).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "" }, [{ from: backend.files.rename.mock.calls[0]?.[1][0]?.from, to: "z.jpg" }]);
  });

  it("keeps the extension and warns of another", async () => {
    await open();
    await goTo("a.jpg");
    await host.act("files-rename");
    const box = await field();
    const result = () => screen.getByTestId("rename-result").textContent;
    const notice = () => screen.getByTestId("rename-notice").textContent;
    await userEvent.clear(box);
    await userEvent.type(box, "cat");
    expect([result(), notice()]).toEqual(["a.jpg → cat.jpg", ""]);
    await userEvent.keyboard("{Control>}e{/Control}");
    expect([result(), notice()]).toEqual(["a.jpg → cat", "Without the extension “.jpg”, programs may not know what kind of file this is."]);
    await userEvent.type(box, ".png");
    expect([result(), notice()]).toEqual(["a.jpg → cat.png", "The extension changes from “.jpg” to “.png”. It determines which program opens the file."]);
    await userEvent.clear(box);
    await userEvent.type(box, "{{nn} {{name}{Enter}");
    await waitFor(() => expect(backend.files.rename).toHaveBeenCalledOnce());
    expect(backend.files.rename.mock.calls[0]?.[1].map(({ to }) => to)).toEqual(["01 a"]);
  });

  it("waits for the input method and submits once", async () => {
    await open();
    await goTo("a.jpg");
    await host.act("files-rename");
    const box = await field();
    await userEvent.keyboard("z");
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
    expect(backend.files.rename).not.toHaveBeenCalled();
    backend.files.rename.mockImplementationOnce(done("b.jpg", "c.jpg", "z.jpg"));
    await userEvent.keyboard("{Enter}{Enter}");
    await waitFor(() => expect(screen.queryByTestId("rename-files")).toBeNull());
    expect(backend.files.rename).toHaveBeenCalledOnce();
  });

  it.each([
    ["", "Enter a name."],
    ["x/y", "A name can’t contain “/”."],
    [".x", "Names that start with a dot are hidden."],
  ])("cannot be “%s”", async (name, why) => {
    await open();
    await goTo("a.jpg");
    await host.act("files-rename");
    const box = await field();
    await userEvent.clear(box);
    await userEvent.type(box, `${name}{Enter}`);
    expect(screen.getByText(why)).toBeDefined();
    expect(screen.getByTestId<HTMLButtonElement>("rename-do").disabled).toBe(true);
    expect(backend.files.rename).not.toHaveBeenCalled();
  });

  it("shows a name conflict; Escape changes nothing", async () => {
    await open();
    await goTo("b.jpg");
    backend.filesDone = new ApiError("file_name_taken", 409, "", { names: ["a.jpg"], count: 1 });
    await host.act("files-rename");
    await field();
    await userEvent.keyboard("a{Enter}");
    expect(await screen.findByText("A file named “a.jpg” already exists.")).toBeDefined();
    screen.getByTestId("rename-files").dispatchEvent(new Event("cancel", { cancelable: true }));
    await waitFor(() => expect(focused()).toBe("b.jpg"));
    expect(host.toasts).toEqual([]);
  });

  it("of several previews the names of a pattern", async () => {
    await open();
    await goTo("a.jpg");
    await host.press("Mod+a");
    await host.act("files-rename");
    const box = await field();
    await userEvent.clear(box);
    await userEvent.type(box, "x {{n}");
    expect(screen.getByTestId("rename-preview").textContent).toMatch(/a\.jpg\s*→\s*x 1\.jpg.*c\.jpg\s*→\s*x 3\.jpg/su);
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByTestId("rename-start"));
    await userEvent.keyboard("{Backspace}y");
    expect(screen.getByTestId<HTMLButtonElement>("rename-do").disabled).toBe(true);
    // Without a counter it does not matter.
    await userEvent.clear(box);
    await userEvent.type(box, "{{name}!");
    expect(screen.getByTestId<HTMLButtonElement>("rename-do").disabled).toBe(false);
    await userEvent.clear(box);
    await userEvent.type(box, "same");
    expect(screen.getByText("Two files would be named “same.jpg”.")).toBeDefined();
    await userEvent.clear(box);
    await userEvent.type(box, "{{date}");
    expect(screen.getByText(/No date taken in “a.jpg”/)).toBeDefined();
  });

  it("of very many extends the preview on scrolling", async () => {
    backend.entries = Array.from({ length: 1_001 }, (_, at) => entry(`${at}.jpg`));
    await open();
    await goTo("0.jpg");
    await host.press("Mod+a");
    await host.act("files-rename");
    const box = await field();
    await userEvent.clear(box);
    await userEvent.type(box, "x {{n}");
    const list = screen.getByRole("region", { name: "New names" });
    const lines = () => [...list.querySelectorAll("p")].map((line) => line.textContent);
    const count = lines().length;
    expect(count).toBeGreaterThan(100);
    expect(lines().at(-1)).toBe(`and ${formatNumber(1_001 - (count - 1))} more`);
    for (let times = 0; times < 10; times++) await fireEvent.scroll(list);
    expect(lines()).toHaveLength(1_001);
    expect(lines().at(-1)).toBe("1000.jpg → x 1001.jpg");
    list.focus();
    expect(document.activeElement).toBe(list);
  });

  it("closes in another folder", async () => {
    const room = await open();
    await goTo("a.jpg");
    await host.act("files-rename");
    await field();
    await room.rerender({ place: placeAt(null, "2026") });
    await waitFor(() => expect(screen.queryByTestId("rename-files")).toBeNull());
  });
});

describe("the target folder", () => {
  const rows = () => screen.findAllByTestId("tree-item");

  async function choose(kind: "move" | "copy") {
    await open();
    await goTo("b.jpg");
    await host.act(`files-${kind}`);
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["id"]).toBe("R1/"));
  }

  it("is selected by arrows and accepted by Enter", async () => {
    await choose("move");
    expect(screen.getByTestId<HTMLButtonElement>("target-take").disabled).toBe(true);
    await userEvent.keyboard("{Enter}");
    expect(backend.files.move).not.toHaveBeenCalled();
    backend.files.move.mockImplementationOnce(done("a.jpg", "c.jpg"));
    await userEvent.keyboard("{End}{Enter}");
    await waitFor(() => expect(backend.files.move).toHaveBeenCalledExactlyOnceWith([{ root: "R1", path: "b.jpg" }], { root: "R2", path: "", name: "Scans" }, "refuse"));
    await waitFor(() => expect(names()).toEqual(["a.jpg", "c.jpg"]));
    // The next file has the focus.
    await waitFor(() => expect(focused()).toBe("c.jpg"));
    await waitFor(() => expect(host.toasts).toEqual(["Moved “b.jpg” to “Scans”"]));
  });

  it("Escape returns to the grid", async () => {
    await choose("copy");
    screen.getByTestId("target-dialog").dispatchEvent(new Event("cancel", { cancelable: true }));
    await waitFor(() => expect(screen.queryByTestId("target-dialog")).toBeNull());
    expect([focused(), backend.files.copy.mock.calls]).toEqual(["b.jpg", []]);
  });

  it("starts at the current folder once read", async () => {
    backend.entries = [entry("2026", "folder"), entry("a.jpg")];
    const room = await open();
    await room.rerender({ place: placeAt(null, "2026") });
    await screen.findAllByTestId("cell");
    await goTo("a.jpg");
    await host.act("files-copy");
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["id"]).toBe("R1/2026"));
    expect((await rows()).map(({ dataset }) => dataset["id"])).toEqual(["R1/", "R1/2026", "R2/"]);
  });

  it.each([
    ["{Enter}", "keep_both"],
    ["r", "replace"],
    ["s", "skip"],
  ])("asks about used names: %s", async (key, existing) => {
    await choose("copy");
    backend.files.copy.mockRejectedValueOnce(new ApiError("file_name_taken", 409, "", { names: ["b.jpg"], count: 1 }));
    await userEvent.keyboard("{End}{Enter}");
    await screen.findByTestId("name-conflict-dialog");
    expect(document.activeElement).toBe(screen.getByTestId("name-conflict-keep"));
    await userEvent.keyboard(key);
    await waitFor(() => expect(backend.files.copy.mock.lastCall?.[2]).toBe(existing));
    expect(backend.files.copy).toHaveBeenCalledTimes(2);
    await waitFor(() => expect(screen.queryByTestId("name-conflict-dialog")).toBeNull());
    expect(focused()).toBe("b.jpg");
  });
});

describe("the trash", () => {
  it("moves the focus to the next entry", async () => {
    const main = document.body.appendChild(Object.assign(document.createElement("main"), { id: "main", tabIndex: -1 }));
    await open();
    await goTo("b.jpg");
    backend.files.bin.mockImplementationOnce(done("a.jpg", "c.jpg"));
    await host.act("files-bin");
    await waitFor(() => expect(names()).toEqual(["a.jpg", "c.jpg"]));
    await waitFor(() => expect(focused()).toBe("c.jpg"));
    backend.files.bin.mockImplementationOnce(done());
    await host.press("Mod+a");
    await host.act("files-bin");
    await screen.findByTestId("folder-empty");
    await waitFor(() => expect(document.activeElement).toBe(main));
    main.remove();
  });

  it("continues with the next or previous picture", async () => {
    await open("b.jpg");
    await screen.findByTestId("viewer-image");
    const lost = vi.fn();
    const observer = new MutationObserver(() => {
      if (screen.queryByTestId("picture-gone")) lost();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    backend.files.bin.mockImplementationOnce(done("a.jpg", "c.jpg"));
    await host.act("files-bin");
    await waitFor(() => expect(image()).toContain("c.jpg"));
    backend.files.bin.mockImplementationOnce(done("a.jpg"));
    await host.act("files-bin");
    await waitFor(() => expect(image()).toContain("a.jpg"));
    await waitFor(() => expect(names()).toEqual(["a.jpg"]));
    backend.files.bin.mockImplementationOnce(done());
    await host.act("files-bin");
    await waitFor(() => expect(screen.queryByTestId("viewer")).toBeNull());
    expect(host.visited).toEqual(["/pictures/R1/?view=c.jpg", "/pictures/R1/?view=a.jpg", "/pictures/R1/"]);
    expect(backend.files.bin.mock.calls.map(([[first]]) => first?.path)).toEqual(["b.jpg", "c.jpg", "a.jpg"]);
    expect(lost).not.toHaveBeenCalled();
    observer.disconnect();
  });

  it("reads nothing while the picture is moved", async () => {
    await open();
    await goTo("a.jpg");
    const { rerender } = await open("gone.jpg");
    await screen.findByTestId("picture-gone");
    await host.act("files-bin");
    expect(backend.files.bin).not.toHaveBeenCalled();
    await rerender({ place: placeAt() });
  });
});

it("the viewer follows a rename without an error", async () => {
  await open("b.jpg");
  const viewer = await screen.findByTestId("viewer");
  const before = requests();
  backend.files.rename.mockImplementationOnce(done("a.jpg", "c.jpg", "z.jpg"));
  await host.act("files-rename");
  await screen.findByTestId("rename-name");
  await userEvent.keyboard("z{Enter}");
  await waitFor(() => expect(host.title).toBe("z.jpg"));
  expect(host.visited).toEqual(["/pictures/R1/?view=z.jpg"]);
  await waitFor(() => expect(requests()).toBeGreaterThan(before));
  await waitFor(() => expect(names()).toEqual(["a.jpg", "c.jpg", "z.jpg"]));
  await waitFor(() => expect(host.statusItems.find(({ id }) => id === "position")?.text).toBe("Picture 3 of 3"));
  expect(screen.getByTestId("viewer")).toBe(viewer);
});

describe("an undone rename", () => {
  async function rename(to: string) {
    await host.act("files-rename");
    await screen.findByTestId("rename-name");
    await userEvent.keyboard(`${to}{Enter}`);
    await waitFor(() => expect(screen.queryByTestId("rename-files")).toBeNull());
    backend.files.undo.mockImplementationOnce(done("a.jpg", "b.jpg", "c.jpg"));
  }

  it("the viewer follows the former name", async () => {
    await open("b.jpg");
    const viewer = await screen.findByTestId("viewer");
    backend.files.rename.mockImplementationOnce(done("a.jpg", "c.jpg", "z.jpg"));
    await rename("z");
    await waitFor(() => expect(names()).toEqual(["a.jpg", "c.jpg", "z.jpg"]));
    await host.open[0]?.options.undo?.();
    await waitFor(() => expect(host.title).toBe("b.jpg"));
    expect(host.visited).toEqual(["/pictures/R1/?view=z.jpg", "/pictures/R1/?view=b.jpg"]);
    await waitFor(() => expect(names()).toEqual(["a.jpg", "b.jpg", "c.jpg"]));
    await waitFor(() => expect(host.statusItems.find(({ id }) => id === "position")?.text).toBe("Picture 2 of 3"));
    expect(screen.getByTestId("viewer")).toBe(viewer);
  });

  it("keeps the selection and the focus", async () => {
    await open();
    await goTo("b.jpg");
    backend.files.rename.mockImplementationOnce(done("a.jpg", "c.jpg", "z.jpg"));
    await rename("z");
    await waitFor(() => expect([selected(), focused()]).toEqual([["z.jpg"], "z.jpg"]));
    await host.open[0]?.options.undo?.();
    await waitFor(() => expect(names()).toEqual(["a.jpg", "b.jpg", "c.jpg"]));
    expect(selected()).toEqual(["b.jpg"]);
    await waitFor(() => expect(focused()).toBe("b.jpg"));
  });
});

describe("recent operations", () => {
  const operation = (id: string, name: string, undone = false) => ({ id, kind: "move" as const, at: "2026-11-20T00:00:00Z", count: 1, name, undone });

  it("are listed; Enter undoes the last one", async () => {
    backend.operationsNow = [operation("O2", "b.jpg"), operation("O1", "a.jpg")];
    await open();
    await goTo("a.jpg");
    await host.act("files-recent");
    const [last] = await screen.findAllByTestId("operation-undo");
    await waitFor(() => expect(document.activeElement).toBe(last));
    await userEvent.keyboard("{Enter}");
    expect(backend.files.undo).toHaveBeenCalledExactlyOnceWith("O2");
    await waitFor(() => expect(focused()).toBe("a.jpg"));
    expect(host.toasts).toEqual(["Restored 1 file"]);
  });

  it("an undone one is done again", async () => {
    backend.operationsNow = [operation("O2", "b.jpg", true)];
    await open();
    await goTo("a.jpg");
    await host.act("files-recent");
    const redo = await screen.findByTestId("operation-undo");
    expect(redo.textContent?.trim()).toBe("Redo");
    expect(screen.getByText("Undone: Moved “b.jpg”")).toBeDefined();
    backend.files.undo.mockResolvedValueOnce({ done: 1, skipped: 0, failed: [], redo: "O3" });
    await userEvent.click(redo);
    expect(backend.files.undo).toHaveBeenCalledExactlyOnceWith("O2");
    await waitFor(() => expect(host.toasts).toEqual(["Redone for 1 file"]));
    await host.open.at(-1)?.options.undo?.();
    expect(backend.files.undo).toHaveBeenLastCalledWith("O3");
  });

  it("explain a failed load", async () => {
    await open();
    await goTo("a.jpg");
    backend.files.operations.mockRejectedValueOnce(new ApiError("storage_failed", 500, ""));
    await host.act("files-recent");
    expect(await screen.findByText(/Couldn’t load the file history\..+disk/u)).toBeDefined();
  });

  it("has a key if free", async () => {
    const room = await open();
    const key = () => host.actions.find(({ id }) => id === "files-recent")?.key;
    expect(key()).toBe("Shift+z");
    await room.rerender({ place: placeAt("a.jpg") });
    await waitFor(() => expect(key()).toBeUndefined());
    await room.rerender({ place: placeAt(null) });
    await waitFor(() => expect(key()).toBe("Shift+z"));
    await host.press("Mod+a");
    await host.press("c");
    await waitFor(() => expect(key()).toBeUndefined());
    expect(host.named("Shift+z")).toBe("Fit");
  });
});

it("no operation runs after the folder was left", async () => {
  const room = await open();
  expect(host.actions.map(({ id }) => id)).toContain("files-bin");
  await room.rerender({ place: { root: null, path: canonicalPath(""), view: null } });
  await waitFor(() => expect(host.actions.filter(({ id }) => id.startsWith("files-"))).toEqual([]));
});
