import { expect, it, vi } from "vitest";
import { PagedRows } from ".";

function counting(total: number, size = 2) {
  const source = { total, fails: false };
  const read = vi.fn((before: readonly number[], limit: number) => {
    if (source.fails) return Promise.reject(new Error("down"));
    const items = Array.from({ length: Math.min(limit, source.total - before.length) }, (_, at) => before.length + at);
    return Promise.resolve({ items, hasMore: before.length + items.length < source.total });
  });
  return { source, read, rows: new PagedRows(read, size) };
}

it("reads parts, and again equally many", async () => {
  const { source, rows } = counting(5);
  await rows.load();
  expect([rows.items, rows.hasMore]).toEqual([[0, 1], true]);
  await rows.more();
  await rows.more();
  expect([rows.items, rows.hasMore]).toEqual([[0, 1, 2, 3, 4], false]);
  source.total = 3;
  await rows.load();
  expect([rows.items, rows.hasMore]).toEqual([[0, 1, 2], false]);
});

it("keeps its rows when a later read fails", async () => {
  const { source, rows } = counting(1);
  source.fails = true;
  await rows.load();
  expect(rows.state).toBe("failed");
  source.fails = false;
  await rows.retry();
  source.fails = true;
  await rows.load();
  expect([rows.state, rows.items]).toEqual(["ready", [0]]);
});

it("discards a part that a newer read replaced", async () => {
  const { rows } = counting(5);
  await rows.load();
  const more = rows.more();
  await rows.load();
  await more;
  expect(rows.items).toEqual([0, 1]);
});
