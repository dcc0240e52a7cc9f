import { afterEach, describe, expect, it, vi } from "vitest";
import type { PageMeta } from "../api/backend";
import { FakeServer } from "../testing/fake-server";
import type { FirstFrame } from "./first-frame";
import { fetchInitialData, whenPainted, allSettled } from "./initial-data";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the page source named by the server's HTML", () => {
  const server = new FakeServer();
  const page = server.add("/p", "text");
  const backend = server.backend;

  async function begin(address: string, changes: Partial<FirstFrame> = {}) {
    const meta: PageMeta = await backend.pages.meta(page.id);
    const answers = { since: "launch-1", user: null, settings: {} as never, page: meta, unsaved: true };
    const frame = { root: document.body, language: "en" as const, address, pageId: page.id, revision: 1, answers };
    return fetchInitialData({ ...frame, ...changes }, backend);
  }

  it("is requested before its view loads", async () => {
    const stay = await begin("/wiki/p");
    expect(stay.page).toMatchObject({ id: page.id, revision: 1, unsaved: true });
    expect((await stay.page?.source)?.text).toBe("text");
  });

  it("is left to other views or without answers", async () => {
    expect((await begin("/edit/p")).page).toBeNull();
    expect((await begin("/wiki/p", { pageId: null, revision: null })).page).toBeNull();
    expect((await begin("/wiki/p", { answers: null })).page).toBeNull();
  });

  it("passes failures to its view", async () => {
    vi.spyOn(backend.pages, "source").mockRejectedValueOnce(new Error("no answer"));
    const stay = await begin("/wiki/p");
    await expect(stay.page?.source).rejects.toThrow("no answer");
  });
});

describe("the first picture", () => {
  it("waits until its parts have loaded or failed", async () => {
    let arrive: () => void = () => {};
    const part = new Promise<void>((resolve) => (arrive = resolve));
    const painted = vi.fn();
    void allSettled([part, Promise.reject(new Error("gone"))]).then(painted);
    await Promise.resolve();
    expect(painted).not.toHaveBeenCalled();
    arrive();
    await vi.waitFor(() => expect(painted).toHaveBeenCalledOnce());
  });

  it("does not wait for long", async () => {
    vi.useFakeTimers();
    const painted = vi.fn();
    void allSettled([new Promise(() => {})]).then(painted);
    await vi.advanceTimersByTimeAsync(249);
    expect(painted).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(painted).toHaveBeenCalledOnce();
  });

  it("is painted when reported, or immediately in background", async () => {
    vi.useFakeTimers();
    let report: (paints: string[]) => void = () => {};
    class Observer {
      constructor(callback: PerformanceObserverCallback) {
        report = (paints) => {
          const list = { getEntriesByName: (name: string) => paints.filter((paint) => paint === name) };
          callback(list as unknown as PerformanceObserverEntryList, this as unknown as PerformanceObserver);
        };
      }
      observe() {}
    }
    vi.stubGlobal("PerformanceObserver", Observer);
    const [painted, undrawn] = [vi.fn(), vi.fn()];
    void whenPainted().then(painted);
    report(["first-paint"]);
    await vi.advanceTimersByTimeAsync(10);
    expect(painted).not.toHaveBeenCalled();
    report(["first-paint", "first-contentful-paint"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(painted).toHaveBeenCalledOnce();
    void whenPainted().then(undrawn);
    await vi.advanceTimersByTimeAsync(249);
    expect(undrawn).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(undrawn).toHaveBeenCalledOnce();
  });
});
