import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { Listing } from "../listing/listing.svelte";
import type { GridPosition } from "../session/session-memory";
import { type GridElement, GridState } from "./grid-state.svelte";

const SIZE = 100;
const WIDTH = 4 * SIZE + 62;
const picture = (index: number): FolderEntry => ({ name: `${String(index).padStart(3, "0")}.jpg`, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", width: 4, height: 3 });

/** An element without a document. */
class FakeElement implements GridElement {
  scrollTop = 0;
  readonly focused: number[] = [];
  isFocused = false;
  isFree = false;
  focusCell = (index: number) => void this.focused.push(index);
  hasFocus = () => this.isFocused;
  mayTakeFocus = () => this.isFree;
}

let backend: FakeBackend;
let element: FakeElement;
let size = $state(SIZE);
const onfocus = vi.fn<(index: number) => void>();
const onanchor = vi.fn();
let stop = () => {};

beforeEach(() => {
  backend = new FakeBackend();
  backend.entries = Array.from({ length: 400 }, (_, index) => picture(index));
  element = new FakeElement();
  size = SIZE;
  vi.clearAllMocks();
});
afterEach(() => stop());

async function open(start: GridPosition = { focus: 0, top: null, hasScrolled: false }) {
  const listing = new Listing(backend, "R1", canonicalPath(""), { sort: "name", order: "asc" });
  await vi.waitFor(() => expect(listing.state).toBe("ready"));
  let grid!: GridState;
  const end = $effect.root(() => {
    grid = new GridState({ listing, size: () => size, start, element: () => element, onfocus, onanchor });
    $effect(() => grid.layOut());
    $effect(() => grid.requestEntries());
  });
  listing.hold = grid.hold;
  stop = () => {
    end();
    grid.dispose();
    listing.dispose();
  };
  [grid.width, grid.height] = [WIDTH, 500];
  flushSync();
  return { grid, listing };
}

/** Scrolls as a user does. */
function scroll(grid: GridState, top: number, now = 10_000) {
  element.scrollTop = top;
  grid.scrolled(now);
  flushSync();
}

const topName = ({ grid, listing }: { grid: GridState; listing: Listing }) => listing.at(grid.visible.first * grid.shape.columns)?.name;

describe("the first layout", () => {
  it("restores the previous position", async () => {
    const { grid } = await open({ focus: 0, top: { index: 100, above: 0 }, hasScrolled: true });
    expect(grid.scrollTop).toBeGreaterThan(0);
    // The focus was scrolled out of view.
    expect(grid.active).toBe(100);
  });

  it("shows the cell with the previous focus", async () => {
    const { grid } = await open({ focus: 200, top: { index: 0, above: 0 }, hasScrolled: false });
    expect(grid.active).toBe(200);
    expect(Math.floor(200 / grid.shape.columns)).toBeLessThan(grid.visible.end);
  });

  it("moves an idle focus to the first cell", async () => {
    element.isFree = true;
    await open();
    await vi.waitFor(() => expect(element.focused).toEqual([0]));
  });
});

it("another size keeps the top entry in place", async () => {
  const { grid } = await open();
  scroll(grid, 20 * grid.shape.rowHeight);
  size = 2 * SIZE;
  flushSync();
  expect(grid.shape.columns).toBe(2);
  grid.scrolled(20_000);
  expect(onanchor.mock.calls).toMatchObject([[{ index: 80 }], [{ index: 80 }]]);
});

it("fast scrolling ends after a rest", async () => {
  const { grid } = await open();
  vi.useFakeTimers();
  scroll(grid, 8_000, grid.height);
  expect(grid.isCalm).toBe(false);
  vi.advanceTimersByTime(200);
  expect(grid.isCalm).toBe(true);
  vi.useRealTimers();
});

it("each scroll position is reported", async () => {
  const { grid } = await open();
  scroll(grid, 10 * grid.shape.rowHeight);
  expect(onanchor.mock.calls).toMatchObject([[{ index: 40 }]]);
});

it("a focused cell is scrolled into view", async () => {
  const { grid } = await open();
  await grid.focus(300);
  expect([grid.active, element.focused]).toEqual([300, [300]]);
  expect(grid.visible.end).toBeGreaterThan(300 / grid.shape.columns);
  expect(onfocus.mock.calls).toEqual([[300]]);
});

it("a press focuses without scrolling", async () => {
  const { grid } = await open();
  grid.press(7);
  expect([grid.active, grid.scrollTop, element.focused]).toEqual([7, 0, [7]]);
});

describe("another reading of the folder", () => {
  const added = (count: number) => Array.from({ length: count }, (_, index) => ({ ...picture(index), name: `+${String(index).padStart(3, "0")}.jpg` }));

  it("keeps the visible entries in place", async () => {
    const opened = await open();
    scroll(opened.grid, 20 * opened.grid.shape.rowHeight);
    const before = topName(opened);
    backend.entries = [...added(40), ...backend.entries];
    await opened.listing.follow();
    flushSync();
    expect(topName(opened)).toBe(before);
  });

  it("keeps the focus on its entry", async () => {
    const { grid, listing } = await open();
    await grid.focus(10);
    element.isFocused = true;
    backend.entries = [...added(3), ...backend.entries];
    await listing.follow();
    expect(listing.at(grid.active)?.name).toBe("010.jpg");
    expect(element.focused.at(-1)).toBe(13);
  });

  it("moves the focus on after a removal", async () => {
    const { grid, listing } = await open();
    grid.moveTo(10);
    backend.entries = backend.entries.filter(({ name }) => name !== "010.jpg");
    await listing.follow();
    expect(listing.at(grid.active)?.name).toBe("011.jpg");
  });

  it("shows new entries at the top", async () => {
    const opened = await open();
    backend.entries = [...added(4), ...backend.entries];
    await opened.listing.follow();
    flushSync();
    expect([opened.grid.scrollTop, topName(opened)]).toEqual([0, "+000.jpg"]);
  });
});
