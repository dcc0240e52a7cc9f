import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { canonicalPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { FolderSizes } from "./folder-size.svelte";

const folder = { root: "R1", path: canonicalPath("2026") };
let backend: FakeBackend;
let sizes: FolderSizes;

beforeEach(() => {
  vi.useFakeTimers();
  backend = new FakeBackend();
  backend.sizeNow = { files: 2, bytes: 300, free: 9_000 };
  sizes = new FolderSizes(backend.folders);
});

afterEach(() => vi.useRealTimers());

it("many changes are one request", async () => {
  const stop = sizes.follow(folder, true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sizes.size).toEqual({ files: 2, bytes: 300, free: 9_000 });
  backend.sizeNow = { files: 3, bytes: 400, free: 8_900 };
  for (let change = 0; change < 5; change++) sizes.update();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sizes.size?.files).toBe(3);
  expect(backend.folders.size.mock.calls).toHaveLength(2);
  expect(backend.folders.size.mock.lastCall).toMatchObject([folder, { beneath: true }]);
  stop();
});

it("a left folder requests nothing", async () => {
  const stop = sizes.follow(folder, false);
  stop();
  sizes.update();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sizes.size).toBeNull();
  expect(backend.folders.size).toHaveBeenCalledTimes(1);
});
