// Selecting in the view: by pointer, touch and keys; its announcements, and its accessible state.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { NavigateOptions } from "../../api/host";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { type FolderPlace, parsePicturesAddress } from "../query/address";
import type { SavedOrder } from "../query/listing-query";
import { LONG_PRESS } from "./cell-press";
import { selectionModeOf } from "../selection/selection-mode";

let backend: FakeBackend;
let host: StubHost;
let user: UserEvent;
const entry = (name: string): FolderEntry => ({
  name,
  kind: name.includes(".") ? "picture" : "folder",
  size: 1_024,
  mtime: "2026-11-20T00:00:00Z",
});
const at = (path: string, view: string | null = null): FolderPlace => ({
  root: "R1",
  path: canonicalPath(path),
  view: view === null ? null : canonicalPath(view),
});

// Six in a row, by the width of the test screen.
const NAMES = ["2026", ..."abcdefgh"].map((name) => (name === "2026" ? name : `${name}.jpg`));
/** A separate folder for each test: the view remembers positions. */
let tests = 0;
let path: string;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = NAMES.map(entry);
  host = new StubHost();
  user = userEvent.setup();
  path = `test-${(tests += 1)}`;
});

async function open(place = at(path)) {
  const view = openPictures({ place, backend, host, onorder: (order: SavedOrder) => void view.rerender({ order }) });
  // Rerenders for a replaced address, as the frame does.
  host.navigate = async (url: string, options?: NavigateOptions) => {
    host.visited.push(url);
    if (options?.replace) await view.rerender({ place: parsePicturesAddress(new URL(url, "http://x")) ?? place });
    return true;
  };
  await screen.findAllByTestId("cell");
  return view;
}

const cell = (name: string) => screen.getAllByTestId("cell").find(({ dataset }) => dataset["name"] === name) as HTMLElement;
const selected = () =>
  screen.getAllByTestId("cell").flatMap((one) => (one.ariaSelected === "true" ? [one.dataset["name"]?.replace(".jpg", "")] : [])).join("");
const focused = () => (document.activeElement as HTMLElement).dataset["name"];
const statusText = () => host.statusItems.find(({ id }) => id === "selected")?.text;

/** Presses a cell with keys held. */
async function press(name: string, ...held: string[]) {
  for (const key of held) await user.keyboard(`{${key}>}`);
  await user.click(cell(name));
  for (const key of held) await user.keyboard(`{/${key}}`);
}

it.each<[object, boolean, string]>([
  [{}, false, "only"],
  [{ ctrlKey: true }, false, "toggle"],
  [{ metaKey: true }, true, "toggle"],
  [{ metaKey: true }, false, "only"],
  [{ shiftKey: true }, false, "range"],
  [{ shiftKey: true, ctrlKey: true }, false, "add range"],
  [{ shiftKey: true, metaKey: true }, true, "add range"],
])("keys %j (on a Mac: %j) select %s", (held, mac, expected) => {
  expect(selectionModeOf({ ctrlKey: false, metaKey: false, shiftKey: false, ...held }, mac)).toBe(expected);
});

describe("the mouse", () => {
  it("selects, and opens nothing", async () => {
    await open();
    expect(selected()).toBe("");
    await press("b.jpg");
    expect([selected(), focused()]).toEqual(["b", "b.jpg"]);
    await press("d.jpg", "Control");
    await press("b.jpg", "Control");
    expect([selected(), focused()]).toEqual(["d", "b.jpg"]);
    await press("d.jpg", "Shift");
    expect(selected()).toBe("bcd");
    await press("h.jpg", "Control");
    await press("g.jpg", "Control", "Shift");
    expect(selected()).toBe("bcdgh");
    await press("a.jpg");
    expect(selected()).toBe("a");
    expect(host.visited).toEqual([]);
  });

  it("opens by double click without modifier keys", async () => {
    await open();
    await user.keyboard("{Control>}");
    await user.dblClick(cell("b.jpg"));
    await user.keyboard("{/Control}");
    expect(host.visited).toEqual([]);
    await user.dblClick(cell("b.jpg"));
    expect(host.visited).toEqual([`/pictures/R1/${path}?view=b.jpg`]);
  });
});

describe("touch", () => {
  const touch = { pointerType: "touch", clientX: 50, clientY: 50 };
  const tap = async (element: HTMLElement) => {
    await fireEvent.pointerDown(element, touch);
    await fireEvent.pointerUp(element, touch);
    await fireEvent.click(element);
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => void vi.useRealTimers();
  });

  it("opens by a tap and selects by holding", async () => {
    await open();
    await fireEvent.pointerDown(cell("b.jpg"), touch);
    await vi.advanceTimersByTimeAsync(LONG_PRESS);
    await fireEvent.pointerUp(cell("b.jpg"), touch);
    await fireEvent.click(cell("b.jpg"));
    expect([selected(), host.visited]).toEqual(["b", []]);
    await vi.waitFor(() => expect(host.menu?.label).toBe("Actions for b.jpg"));
    await tap(cell("c.jpg"));
    expect([selected(), host.visited]).toEqual(["b", [`/pictures/R1/${path}?view=c.jpg`]]);
    await tap(screen.getByTestId("grid"));
    expect(selected()).toBe("");
  });

  it("opens no menu if it moves or deselects", async () => {
    await open();
    const hold = async (name: string, clientY: number) => {
      await fireEvent.pointerDown(cell(name), touch);
      await vi.advanceTimersByTimeAsync(LONG_PRESS);
      await fireEvent.pointerMove(cell(name), { ...touch, clientY });
      await fireEvent.pointerUp(cell(name), { ...touch, clientY });
      await vi.advanceTimersByTimeAsync(0);
    };
    await hold("b.jpg", 20);
    await hold("b.jpg", 50);
    expect([selected(), host.menu]).toEqual(["", null]);
  });

  it("selects nothing while scrolling", async () => {
    await open();
    await fireEvent.pointerDown(cell("b.jpg"), touch);
    await fireEvent.pointerMove(cell("b.jpg"), { ...touch, clientY: 20 });
    await vi.advanceTimersByTimeAsync(LONG_PRESS);
    expect(selected()).toBe("");
  });
});

describe("keys", () => {
  it.each<[string, string, string]>([
    ["{ArrowRight}", "a", "a.jpg"],
    ["{ArrowRight}{ArrowRight}", "b", "b.jpg"],
    ["{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}", "abc", "c.jpg"],
    ["{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{ArrowLeft}{/Shift}", "ab", "b.jpg"],
    ["{Shift>}{ArrowDown}{/Shift}", "2026abcdef", "f.jpg"],
    ["{ArrowRight}{Shift>}{End}{/Shift}", "abcdefgh", "h.jpg"],
    ["{End}{Shift>}{Home}{/Shift}", "2026abcdefgh", "2026"],
    ["{ArrowRight}{Control>}{ArrowRight}{ArrowRight}{/Control}", "a", "c.jpg"],
    ["{ArrowRight}{Control>}{ArrowRight}{ArrowRight} {/Control}", "ac", "c.jpg"],
    ["{ArrowRight} ", "", "a.jpg"],
    ["{ArrowRight}{Control>}{End} {/Control}{Control>}{Shift>}{ArrowLeft}{/Shift}{/Control}", "agh", "g.jpg"],
  ])("%s", async (typed, expected, focus) => {
    await open();
    await waitFor(() => expect(focused()).toBe("2026"));
    await user.keyboard(typed);
    expect([selected(), focused()]).toEqual([expected, focus]);
  });

  it("select all, the others, and nothing", async () => {
    await open();
    await press("b.jpg");
    await host.press("Mod+Shift+a");
    await waitFor(() => expect(selected()).toBe("2026acdefgh"));
    await host.press("Mod+a");
    await waitFor(() => expect(selected()).toBe("2026abcdefgh"));
    await host.press("Escape");
    await waitFor(() => expect(selected()).toBe(""));
    // Without a selection, no key is needed to clear it.
    expect(host.named("Escape")).toBeUndefined();
  });

  it("belong to the viewer while it is open", async () => {
    const { rerender } = await open();
    await press("b.jpg");
    await rerender({ place: at(path, "b.jpg") });
    await screen.findByTestId("viewer-image");
    expect(host.named("Mod+a")).toBeUndefined();
    await rerender({ place: at(path, "c.jpg") });
    await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toContain("c.jpg"));
    await rerender({ place: at(path) });
    await waitFor(() => expect([selected(), focused()]).toEqual(["c", "c.jpg"]));
    await press("d.jpg", "Control");
    await rerender({ place: at(path, "g.jpg") });
    await waitFor(() => expect(screen.getByTestId("viewer-image").getAttribute("src")).toContain("g.jpg"));
    await rerender({ place: at(path) });
    await waitFor(() => expect([selected(), focused()]).toEqual(["cd", "g.jpg"]));
  });
});

describe("the rubber band", () => {
  const grid = () => screen.getByTestId("grid");
  const drawn = () => screen.queryByTestId("rubber-band");
  /** Returns a position between the columns, each of which starts 163 pixels after the previous one. */
  const gap = (column: number) => 16 + column * 163 - 5;
  const BELOW = 700;
  const begin = (x: number, y: number, modifiers: object = {}) =>
    fireEvent.pointerDown(grid(), { pointerType: "mouse", button: 0, clientX: x, clientY: y, ...modifiers });
  const move = (x: number, y: number) => fireEvent.pointerMove(grid(), { pointerType: "mouse", clientX: x, clientY: y });
  const end = () => fireEvent.pointerUp(grid(), { pointerType: "mouse" });

  it("selects the cells it touches, while drawn", async () => {
    await open();
    await begin(gap(1), BELOW);
    expect(drawn()).toBeNull();
    await move(gap(3), 100);
    await waitFor(() => expect(selected()).toBe("abgh"));
    expect([drawn()?.style.left, drawn()?.style.top, drawn()?.style.width]).toEqual(["174px", "100px", "326px"]);
    await waitFor(() => expect(statusText()).toContain("4 selected"));
    await move(gap(3), 300);
    await waitFor(() => expect(selected()).toBe("gh"));
    await move(gap(2), 300);
    await end();
    expect([selected(), drawn()]).toEqual(["g", null]);
    await move(gap(6), 10);
    expect(selected()).toBe("g");
  });

  it.each([{ ctrlKey: true }, { shiftKey: true }])("adds the cells it touches with %j", async (modifiers) => {
    await open();
    await press("d.jpg");
    await begin(gap(1), BELOW, modifiers);
    await move(gap(2), 100);
    await end();
    await waitFor(() => expect(selected()).toBe("adg"));
  });

  it("is cancelled by Escape alone", async () => {
    await open();
    await press("d.jpg");
    await begin(gap(1), BELOW);
    await move(gap(2), 100);
    await waitFor(() => expect(selected()).toBe("ag"));
    const listener = vi.fn();
    window.addEventListener("keydown", listener, { once: true });
    await fireEvent.keyDown(grid(), { key: "Escape" });
    window.removeEventListener("keydown", listener);
    expect([selected(), drawn(), listener.mock.calls.length]).toEqual(["d", null, 0]);
    await move(gap(5), 100);
    expect(selected()).toBe("d");
  });

  it("clears the selection unless a key is held", async () => {
    await open();
    await press("d.jpg");
    await begin(gap(1), BELOW, { ctrlKey: true });
    await end();
    expect(selected()).toBe("d");
    await begin(gap(1), BELOW);
    await end();
    await waitFor(() => expect(selected()).toBe(""));
  });

  it("brings the focus into the grid", async () => {
    await open();
    await press("d.jpg");
    screen.getByTestId("folder-filter").focus();
    await fireEvent.mouseDown(grid(), { button: 0, clientX: 500, clientY: BELOW });
    expect(focused()).toBe("d.jpg");
  });

  it("does not start on cells, scrollbars or touch", async () => {
    await open();
    await fireEvent.pointerDown(cell("a.jpg"), { pointerType: "mouse", button: 0, clientX: 200, clientY: 50 });
    await move(gap(5), BELOW);
    await begin(1_001, 10);
    await move(gap(5), BELOW);
    await begin(gap(1), BELOW, { pointerType: "touch" });
    await move(gap(5), 10);
    expect([selected(), drawn()]).toEqual(["", null]);
  });

  it("scrolls on at the edges", async () => {
    backend.entries = Array.from({ length: 3_000 }, (_, at) => entry(`${at}.jpg`));
    await open();
    await begin(gap(1), 100);
    await move(gap(2), 1_400);
    await waitFor(() => expect(grid().scrollTop).toBeGreaterThan(800));
    await fireEvent.scroll(grid());
    await move(gap(2), 700);
    await end();
    const far = grid().scrollTop;
    await waitFor(() => expect(Number.parseInt(statusText() ?? "")).toBeGreaterThan(6));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(grid().scrollTop).toBe(far);
  });
});

describe("type-ahead", () => {
  const field = () => screen.getByTestId<HTMLInputElement>("go-to-name");
  const begin = async () => {
    await open();
    await waitFor(() => expect(focused()).toBe("2026"));
    await host.press("'");
    await waitFor(() => expect(document.activeElement).toBe(field()));
  };

  it("focuses and selects the match without opening it", async () => {
    backend.entries = ["air", "apple", "bee", "カメラ"].map(entry);
    await open();
    await waitFor(() => expect(focused()).toBe("air"));
    await host.press("'");
    await user.type(field(), "ap");
    await waitFor(() => expect(selected()).toBe("apple"));
    expect(document.activeElement).toBe(field());
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent.trim())).toContain("apple");
    await user.clear(field());
    await user.type(field(), "ｶ");
    await waitFor(() => expect(selected()).toBe("カメラ"));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(focused()).toBe("カメラ"));
    expect([screen.queryByTestId("go-to"), host.visited]).toEqual([null, []]);
  });

  it("restarts after a pause", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await begin();
      const typing = userEvent.setup({ delay: null });
      await typing.keyboard("c");
      await vi.waitFor(() => expect(selected()).toBe("c"));
      await vi.advanceTimersByTimeAsync(900);
      await typing.keyboard(".");
      await vi.advanceTimersByTimeAsync(1_000);
      expect(selected()).toBe("c");
      await typing.keyboard("e");
      await vi.waitFor(() => expect(selected()).toBe("e"));
      expect(field().value).toBe("e");
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports if there is no match", async () => {
    await begin();
    await user.keyboard("x");
    await waitFor(() => expect(screen.getByTestId("go-to").textContent).toContain("No match"));
    expect(selected()).toBe("");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(focused()).toBe("2026"));
  });

  it("waits for the input method", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await begin();
      await fireEvent.compositionStart(field());
      await fireEvent.input(field(), { target: { value: "び" } });
      await vi.advanceTimersByTimeAsync(2_000);
      field().setSelectionRange(1, 1);
      await fireEvent.keyDown(field(), { key: "Process", keyCode: 229 });
      await fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
      // The text was neither selected, to be overwritten, nor left.
      expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(["び", 1, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is left with the field", async () => {
    await begin();
    await user.click(cell("b.jpg"));
    expect([screen.queryByTestId("go-to"), selected()]).toEqual([null, "b"]);
  });
});

describe("the selection", () => {
  it("is counted and announced", async () => {
    await open();
    const message = () => screen.getByTestId("selection-status").textContent;
    expect(host.statusItems.map(({ text }) => text)).toEqual(["8 pictures · 1 folder"]);
    await press("2026");
    await waitFor(() => expect(statusText()).toBe("1 selected"));
    expect(message()).toBe("");
    await press("b.jpg", "Shift");
    await waitFor(() => expect(statusText()).toBe("3 selected · 2\u00a0KiB"));
    expect([message(), screen.getByRole("grid").ariaMultiSelectable]).toEqual(["3 selected", "true"]);
    await host.press("Escape");
    await waitFor(() => expect([message(), statusText()]).toEqual(["Nothing selected", undefined]));
  });

  it("drops removed entries and moves the focus on", async () => {
    await open();
    await press("b.jpg");
    await press("e.jpg", "Shift");
    backend.entries = ["2026", "a.jpg", "c.jpg", "f.jpg", "g.jpg", "h.jpg"].map(entry);
    backend.emit("folder.changed", { root: "R1", path });
    await waitFor(() => expect(screen.getAllByTestId("cell")).toHaveLength(6));
    await waitFor(() => expect([selected(), focused()]).toEqual(["c", "f.jpg"]));
    backend.entries = ["2026", "a.jpg"].map(entry);
    backend.emit("folder.changed", { root: "R1", path });
    await waitFor(() => expect([selected(), focused()]).toEqual(["", "a.jpg"]));
  });
});
