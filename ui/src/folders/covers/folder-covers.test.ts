import { expect, it, vi } from "vitest";
import type { FilePlace, FolderEntry } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { FolderCovers } from "./folder-covers.svelte";

const place = (name: string): FilePlace => ({ root: "R1", path: canonicalPath(name) });
const cover: FolderEntry = { name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z" };

/** Requests that stay unanswered until the test answers them. */
function pending() {
  const asked: { path: string; signal: AbortSignal | undefined; answer: (covers: FolderEntry[]) => void }[] = [];
  const covers = vi.fn(({ path }: FilePlace, signal?: AbortSignal) => new Promise<FolderEntry[]>((answer) => asked.push({ path, signal, answer })));
  return { asked, store: new FolderCovers({ covers }) };
}

const settled = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(() => queueMicrotask(resolve))));

it("a few folders are read at once", async () => {
  const { asked, store } = pending();
  for (const name of ["a", "b", "c", "d"]) store.want(place(name), "1");
  expect(asked.map(({ path }) => path)).toEqual(["a", "b", "c"]);
  asked[1]?.answer([cover]);
  await settled();
  expect(store.of(place("b"))).toEqual([cover]);
  expect(asked.map(({ path }) => path)).toEqual(["a", "b", "c", "d"]);
});

it("folders out of view are not read", async () => {
  const { asked, store } = pending();
  for (const name of ["a", "b", "c"]) store.want(place(name), "1");
  const leave = store.want(place("d"), "1");
  leave();
  asked[0]?.answer([]);
  await settled();
  expect(asked).toHaveLength(3);
});

it("covers that arrive too late are dropped", async () => {
  const { asked, store } = pending();
  store.want(place("a"), "1")();
  expect(asked[0]?.signal?.aborted).toBe(true);
  asked[0]?.answer([cover]);
  await settled();
  expect(store.of(place("a"))).toBeUndefined();
});

it("a changed folder keeps its covers while read", async () => {
  const { asked, store } = pending();
  store.want(place("a"), "1");
  asked[0]?.answer([cover]);
  await settled();
  store.want(place("a"), "1");
  expect(asked).toHaveLength(1);
  store.want(place("a"), "2");
  expect(asked).toHaveLength(2);
  expect(store.of(place("a"))).toEqual([cover]);
});
