import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toasts } from "./toasts.svelte";

let toasts: Toasts;

beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
});

afterEach(() => void vi.useRealTimers());

const shown = () => toasts.items.map(({ message }) => message);
const show = (...messages: string[]) => {
  for (const message of messages) toasts.show(message);
};
const keep = (...messages: string[]) => {
  for (const message of messages) toasts.show(message, { duration: null });
};

describe("beyond the limit", () => {
  it("the oldest is removed", () => {
    show("1", "2", "3", "4", "5");
    expect(shown()).toEqual(["2", "3", "4", "5"]);
  });

  it("timed ones are removed before waiting ones", () => {
    keep("failed");
    show("1", "2", "3", "4");
    expect(shown()).toEqual(["failed", "2", "3", "4"]);
    keep("failed, too");
    expect(shown()).toEqual(["failed", "3", "4", "failed, too"]);
  });

  it("waiting ones are replaced only by waiting ones", () => {
    keep("1", "2", "3", "4");
    show("passing");
    expect(shown()).toEqual(["1", "2", "3", "4", "passing"]);
    keep("5");
    expect(shown()).toEqual(["2", "3", "4", "5"]);
  });
});

describe("while the pointer is on them", () => {
  it("none is removed, even when another arrives", () => {
    show("read");
    vi.advanceTimersByTime(7_000);
    toasts.pause();
    show("new");
    vi.advanceTimersByTime(20_000);
    expect(shown()).toEqual(["read", "new"]);
    toasts.resume();
    vi.advanceTimersByTime(1_000);
    expect(shown()).toEqual(["new"]);
    vi.advanceTimersByTime(7_000);
    expect(shown()).toEqual([]);
  });

  it("closing the last one lets the next expire", () => {
    show("read");
    toasts.pause();
    toasts.close(toasts.items[0]?.id ?? -1);
    show("new");
    vi.advanceTimersByTime(8_000);
    expect(shown()).toEqual([]);
  });
});
