// Printing of pictures, from the menu to the print dialog.
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { sessionMemory } from "../session/session-memory";
import { decodeAll } from "./decode-all";
import { gridOf, MAX_PRINTED, pageRatio, pagesOf } from "./print-options";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });

let backend: FakeBackend;
let host: StubHost;
let decode: () => Promise<void>;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.png", { rating: 3 }), entry("b.png"), entry("c.png"), entry("film.mp4", { video: true })];
  host = new StubHost();
  decode = () => Promise.resolve();
  HTMLImageElement.prototype.decode = () => decode();
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc" } }, 0);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const printed = () => [...document.querySelectorAll(".printed-pictures .printed-page")].map((page) => [...page.querySelectorAll("img")].map(({ alt }) => alt));

async function openDialog() {
  openPictures({ place: { root: "R1", path: canonicalPath(""), view: null }, backend, host });
  await screen.findAllByTestId("cell");
  await host.press("Mod+a");
  await host.act("print-pictures");
  return screen.findByTestId("print-dialog");
}

describe("printing", () => {
  it("prints pages of decoded pictures alone", async () => {
    const dialog = await openDialog();
    expect(dialog.textContent).toContain("Print 3 pictures");
    await fireEvent.click(screen.getByTestId("print-count-2"));
    await fireEvent.click(screen.getByTestId("print-fit-fill"));
    await fireEvent.click(screen.getByTestId("print-caption-rating"));
    expect(screen.getByTestId("print-pages").textContent.trim()).toBe("2 pages");
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    decode = () => waiting;
    const seen: unknown[] = [];
    const print = vi.spyOn(window, "print").mockImplementation(() => {
      const image = document.querySelector<HTMLImageElement>(".printed-pictures img");
      seen.push(printed(), document.documentElement.dataset["printed"], image?.style.objectFit, image?.src, document.querySelector(".printed-pictures figcaption")?.textContent);
    });
    screen.getByTestId("print-do").click();
    await waitFor(() => expect(screen.getByTestId("print-pages").textContent).toContain("Loading picture 0 of 3"));
    expect(print).not.toHaveBeenCalled();
    goOn();
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
    expect(seen).toEqual([[["a.png", "b.png"], ["c.png"]], "pictures", "cover", expect.stringContaining("1536"), "★★★☆☆"]);
    await waitFor(() => expect(screen.queryByTestId("print-dialog")).toBeNull());
    expect(printed()).toEqual([]);
    expect(document.documentElement.dataset["printed"]).toBeUndefined();
    // The next print begins with the same layout.
    await host.act("print-pictures");
    expect((await screen.findByTestId<HTMLInputElement>("print-count-2")).checked).toBe(true);
  });

  it("prints nothing once the dialog is closed", async () => {
    await openDialog();
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    decode = () => waiting;
    const print = vi.spyOn(window, "print").mockImplementation(() => {});
    screen.getByTestId("print-do").click();
    await waitFor(() => expect(printed()).toHaveLength(3));
    screen.getByText("Cancel").click();
    goOn();
    await waitFor(() => expect(printed()).toEqual([]));
    expect(print).not.toHaveBeenCalled();
  });

  it("names the number of missing pictures", async () => {
    const desktop = fakeDesktop({ print: vi.fn().mockResolvedValue(true) });
    Object.assign(backend, { desktop });
    await openDialog();
    decode = () => Promise.reject(new Error("no picture"));
    screen.getByTestId("print-do").click();
    await waitFor(() => expect(desktop.print).toHaveBeenCalledOnce());
    expect(host.toasts).toEqual(["3 pictures couldn’t be loaded and are missing on paper."]);
  });

  it("refuses more pictures than memory allows", async () => {
    backend.entries = Array.from({ length: MAX_PRINTED + 1 }, (_, index) => entry(`${index}.png`));
    openPictures({ place: { root: "R1", path: canonicalPath(""), view: null }, backend, host });
    await screen.findAllByTestId("cell");
    await host.press("Mod+a");
    await host.act("print-pictures");
    await waitFor(() => expect(host.toasts).toEqual(["At most 200 pictures can be printed at once. A contact sheet may have more."]));
    expect(screen.queryByTestId("print-dialog")).toBeNull();
  });
});

it("waits for a few pictures at a time", async () => {
  let [current, most] = [0, 0];
  decode = async () => {
    most = Math.max(most, (current += 1));
    await Promise.resolve();
    current -= 1;
  };
  const done: number[] = [];
  const pictures = Array.from({ length: 10 }, () => new Image());
  expect(await decodeAll(pictures, (count) => done.push(count), new AbortController().signal)).toBe(0);
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(most).toBeLessThanOrEqual(4);
});

it("lays pages out by their orientation", () => {
  expect(gridOf({ perPage: 2, landscape: false })).toEqual({ columns: 1, rows: 2 });
  expect(gridOf({ perPage: 2, landscape: true })).toEqual({ columns: 2, rows: 1 });
  expect(gridOf({ perPage: 9, landscape: true })).toEqual({ columns: 3, rows: 3 });
  expect(pageRatio({ paper: "a4", landscape: false })).toBeCloseTo(178 / 261 / 0.985);
  expect(pagesOf([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
});
