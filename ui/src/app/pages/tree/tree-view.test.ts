import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TreeView } from "../../../api/backend";
import { TreeAppearance } from "./tree-view.svelte";

let stored: TreeView;
const tree = vi.fn(() => Promise.resolve(stored));
const setTree = vi.fn((view: TreeView) => {
  stored = view;
  return Promise.resolve();
});

beforeEach(() => {
  vi.useFakeTimers();
  stored = { sort: "title", open: [], scroll: 0 };
  vi.clearAllMocks();
});
afterEach(() => void vi.useRealTimers());

async function opened(): Promise<TreeAppearance> {
  const appearance = new TreeAppearance({ tree, setTree });
  appearance.ensure();
  appearance.ensure();
  await vi.advanceTimersByTimeAsync(0);
  return appearance;
}

it("the appearance of the tree survives a restart", async () => {
  const before = await opened();
  expect(tree).toHaveBeenCalledOnce();
  before.toggle("/a");
  before.toggle("/b");
  before.toggle("/a");
  before.reveal(["/c", "/c/d"]);
  before.sortBy("changed");
  before.scrolled(56.4);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(setTree).toHaveBeenCalledOnce();
  const after = await opened();
  expect([[...after.open], after.sort, after.scroll]).toEqual([["/b", "/c", "/c/d"], "changed", 56]);
});

it("only changes of the appearance are stored", async () => {
  stored = { sort: "path", open: ["/a"], scroll: 28 };
  const appearance = await opened();
  appearance.reveal(["/a"]);
  appearance.scrolled(28);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(setTree).not.toHaveBeenCalled();
});

it("a tree is shown without a known appearance", async () => {
  tree.mockRejectedValueOnce(new Error("down"));
  const appearance = await opened();
  expect([appearance.isKnown, appearance.sort, appearance.open.size]).toEqual([true, "title", 0]);
});

it("only the latest thousand open branches are stored", async () => {
  const appearance = await opened();
  appearance.reveal(Array.from({ length: 1_100 }, (_, at) => `/${at}`));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([stored.open?.length, stored.open?.at(-1)]).toEqual([1_000, "/1099"]);
});
