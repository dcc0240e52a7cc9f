import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SizeMemory } from "./size-memory";

const PLACE = "seen-sizes";
const SIZE = { width: 40, height: 30 };

/** The browser's storage. */
let storage: Storage;
let written: ReturnType<typeof vi.fn>;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  storage = localStorage;
  written = vi.spyOn(Storage.prototype, "setItem");
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates the sizes as a newly opened page has them. */
const open = () => new SizeMemory(() => storage);
const rest = () => vi.advanceTimersByTime(1_000);

it("seen sizes are known at once, and later", () => {
  const sizes = open();
  sizes.note("a", SIZE);
  expect(sizes.get("a")).toEqual(SIZE);
  expect(sizes.get("b")).toBeNull();
  rest();
  expect(sizes.get("a")).toEqual(SIZE);
  expect(open().get("a")).toEqual(SIZE);
});

it("sizes are stored together after a while", () => {
  const sizes = open();
  for (const key of ["a", "b", "c"]) sizes.note(key, SIZE);
  expect(written).not.toHaveBeenCalled();
  rest();
  expect(written).toHaveBeenCalledTimes(1);
  rest();
  expect(written).toHaveBeenCalledTimes(1);
});

it("keeps the latest size, and forgets removed ones", () => {
  const sizes = open();
  sizes.note("a", SIZE);
  sizes.note("b", SIZE);
  rest();
  sizes.note("a", { width: 1.25, height: 2 });
  sizes.forget("b");
  expect([sizes.get("a"), sizes.get("b")]).toEqual([{ width: 1.25, height: 2 }, null]);
  rest();
  expect([open().get("a"), open().get("b")]).toEqual([{ width: 1.25, height: 2 }, null]);
});

it("does not store the removal of unknown sizes", () => {
  open().forget("a");
  rest();
  expect(written).not.toHaveBeenCalled();
});

it("drops the least recently seen beyond a thousand", () => {
  const sizes = open();
  for (let index = 0; index < 1_000; index += 1) sizes.note(`picture ${index}`, SIZE);
  rest();
  sizes.note("picture 0", SIZE);
  sizes.note("one more", SIZE);
  rest();
  const later = open();
  expect(["picture 0", "picture 1", "picture 2", "one more"].map((key) => later.get(key) !== null)).toEqual([true, false, true, true]);
  expect(JSON.parse(storage.getItem(PLACE) ?? "")).toHaveLength(1_000);
});

it("two tabs add to the same memory", () => {
  const [one, other] = [open(), open()];
  one.note("a", SIZE);
  other.note("b", SIZE);
  rest();
  expect([open().get("a"), open().get("b")]).toEqual([SIZE, SIZE]);
});

it("long names need no more space", () => {
  const sizes = open();
  sizes.note("x".repeat(50_000), SIZE);
  rest();
  expect(storage.getItem(PLACE)?.length).toBeLessThan(30);
});

describe("entries by other programs", () => {
  it.each(["", "no JSON", "null", "7", '{"a":[1,2]}', '"a"', "[[[[]]]]"])("%j is harmless", (foreign) => {
    storage.setItem(PLACE, foreign);
    const sizes = open();
    expect(sizes.get("a")).toBeNull();
    sizes.note("a", SIZE);
    rest();
    expect(open().get("a")).toEqual(SIZE);
  });

  it("are skipped row by row", () => {
    const sizes = open();
    sizes.note("a", SIZE);
    rest();
    const [[name]] = JSON.parse(storage.getItem(PLACE) ?? "") as [[string]];
    const rows = [[name, 0, 1], [name, -1, 1], [name, "1", 1], [name, 1], [name, 1, 1, 1], [name, 1e9, 1], [name, null, 1], [7, 1, 1], 7, null];
    storage.setItem(PLACE, JSON.stringify(rows));
    expect(open().get("a")).toBeNull();
    storage.setItem(PLACE, JSON.stringify([...rows, [name, 5, 6]]));
    expect(open().get("a")).toEqual({ width: 5, height: 6 });
  });
});

describe("without storage", () => {
  const refuse = () => {
    throw new DOMException("refused", "SecurityError");
  };

  it.each([
    ["names no place", refuse],
    ["answers nothing", () => ({ getItem: refuse, setItem: refuse })],
    ["is full", () => ({ getItem: () => null, setItem: refuse })],
  ])("works except for remembering, because it %s", (_, refusing) => {
    const sizes = new SizeMemory(refusing);
    expect(sizes.get("a")).toBeNull();
    sizes.note("a", SIZE);
    rest();
    expect(sizes.get("a")).toEqual(SIZE);
  });
});
