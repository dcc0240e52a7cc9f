import { expect, it } from "vitest";
import { MapView } from "./map-view.svelte";

it("is remembered, and closed at first", () => {
  const stored = new Map<string, string>();
  const storage = () => ({ getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) });
  const first = new MapView(storage);
  expect(first.isOpen).toBe(false);
  first.isOpen = true;
  expect(new MapView(storage).isOpen).toBe(true);
});

it("works without the browser's storage", () => {
  const view = new MapView(() => {
    throw new DOMException("refused", "SecurityError");
  });
  view.isOpen = true;
  expect(view.isOpen).toBe(true);
});

it("answers the key once", () => {
  const view = new MapView();
  view.ask();
  expect([view.answer(), view.answer()]).toEqual([true, false]);
});
