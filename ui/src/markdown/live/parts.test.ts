import { afterEach, beforeEach, expect, it, vi } from "vitest";

// Each test imports a fresh module, as the first opened page does.
const load = async () => (await import("./live-renderer")).partsOf;
const page = (...blocks: string[]) => ({ blocks: blocks.map((html) => ({ html })) });

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.doUnmock("./math");
  vi.useRealTimers();
});

it("a page without formulas is shown at once", async () => {
  const partsOf = await load();
  expect(partsOf(page("<p>text, $5</p>"))).toBeNull();
});

it("a page with formulas waits once for rendering", async () => {
  const partsOf = await load();
  const formulas = page("<p>text</p>", '<p><span class="math">x</span></p>');
  const parts = partsOf(formulas);
  expect(parts).not.toBeNull();
  await parts;
  expect(partsOf(formulas)).toBeNull();
});

it("waits briefly for missing parts, silently", async () => {
  vi.doMock("./math", () => Promise.reject(new Error("no answer")));
  const partsOf = await load();
  await partsOf(page('<span class="math math-display">x</span>'));
  vi.doMock("./math", () => new Promise(() => {}));
  vi.resetModules();
  const again = await load();
  vi.useFakeTimers();
  const parts = again(page('<span class="math">x</span>'));
  await vi.advanceTimersByTimeAsync(250);
  await parts;
});
