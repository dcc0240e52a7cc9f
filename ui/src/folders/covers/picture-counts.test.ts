import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FilePlace } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { PictureCounts } from "./picture-counts.svelte";

const place = (name: string): FilePlace => ({ root: "R1", path: canonicalPath(name) });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store, and the folders of each request. */
function counting(answer: (names: string[]) => { counts: (number | null)[]; partial: boolean } = (names) => ({ counts: names.map(() => 7), partial: false })) {
  const asked: string[][] = [];
  const counts = (folders: readonly FilePlace[]) => {
    const names = folders.map(({ path }) => path as string);
    asked.push(names);
    return Promise.resolve(answer(names));
  };
  return { asked, store: new PictureCounts({ counts }) };
}

it("folders in view are counted together", async () => {
  const { asked, store } = counting();
  for (const name of ["a", "b"]) store.want(place(name), "1");
  store.want(place("c"), "1")();
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toEqual([["a", "b"]]);
  expect(["a", "b", "c"].map((name) => store.of(place(name)))).toEqual([7, 7, undefined]);
  store.want(place("a"), "1");
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toHaveLength(1);
  store.want(place("a"), "2");
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toHaveLength(2);
});

it("a request has a hundred folders", async () => {
  const { asked, store } = counting();
  for (let number = 0; number < 150; number += 1) store.want(place(`${number}`), "1");
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.map((names) => names.length)).toEqual([100, 50]);
});

it("missing numbers are requested again while in view", async () => {
  let isListed = false;
  const { asked, store } = counting((names) => ({ counts: names.map(() => (isListed ? 3 : null)), partial: !isListed }));
  const leave = store.want(place("a"), "1");
  await vi.advanceTimersByTimeAsync(60);
  expect([asked.length, store.of(place("a"))]).toEqual([1, undefined]);
  isListed = true;
  await vi.advanceTimersByTimeAsync(3_100);
  expect([asked.length, store.of(place("a"))]).toEqual([2, 3]);
  leave();
  store.refresh();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(2);
});

it("a change requests all numbers in view again", async () => {
  let count = 1;
  const { asked, store } = counting(() => ({ counts: [count], partial: false }));
  store.want(place("a"), "1");
  await vi.advanceTimersByTimeAsync(60);
  count = 2;
  for (let change = 0; change < 5; change += 1) store.refresh();
  await vi.advanceTimersByTimeAsync(3_100);
  expect([asked.length, store.of(place("a"))]).toEqual([2, 2]);
});
