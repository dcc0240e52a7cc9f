import { beforeEach, expect, it, vi } from "vitest";
import { createEventHub, type HubParts } from "./event-hub";
import type { StreamListener } from "./event-stream";

/** The tabs of one browser: a lock held by one, and a channel that reaches all the others. */
class Browser {
  streams: (StreamListener & { since: string | null })[] = [];
  #holder: number | null = null;
  #waiting: { tab: number; take: () => void }[] = [];
  #listeners = new Map<number, (event: MessageEvent) => void>();

  tab(tab: number): HubParts {
    const request = (_name: string, ...rest: unknown[]): Promise<unknown> => {
      const callback = rest.pop() as (lock: object | null) => unknown;
      const options = rest.pop() as { ifAvailable?: boolean } | undefined;
      if (this.#holder === null) {
        this.#holder = tab;
        return Promise.resolve(callback({}));
      }
      if (options?.ifAvailable) return Promise.resolve(callback(null));
      return new Promise((resolve) => this.#waiting.push({ tab, take: () => resolve(callback({})) }));
    };
    return {
      locks: { request },
      channel: {
        postMessage: (data: unknown) => {
          for (const [other, listen] of this.#listeners) {
            if (other !== tab) listen(new MessageEvent("message", { data }));
          }
        },
        addEventListener: (_: string, listen: unknown) => {
          this.#listeners.set(tab, listen as (event: MessageEvent) => void);
        },
      },
      open: (since, listener) => {
        this.streams.push({ ...listener, since });
        return { close() {} };
      },
    };
  }

  /** Closes a tab: the lock goes to the one that has waited longest. */
  close(tab: number): void {
    this.#listeners.delete(tab);
    if (this.#holder !== tab) return;
    const next = this.#waiting.shift();
    this.#holder = next?.tab ?? null;
    next?.take();
  }
}

/** The last event when the frames were made. */
const AT = "launch-7";
const settle = () => new Promise((resolve) => setTimeout(resolve));

let browser: Browser;
beforeEach(() => {
  browser = new Browser();
});

it("the first tab's stream serves all tabs", async () => {
  const first = createEventHub(AT, browser.tab(1));
  const second = createEventHub(AT, browser.tab(2));
  await settle();
  const [heardFirst, heardSecond] = [vi.fn(), vi.fn()];
  first.on("page.changed", heardFirst);
  second.on("page.changed", heardSecond);
  const change = { page_id: "P1", path: "/a", revision: 2, kind: "saved" } as const;
  browser.streams[0]?.onEvent("page.changed", change, "launch-8");
  expect(browser.streams).toHaveLength(1);
  expect(heardFirst).toHaveBeenCalledExactlyOnceWith(change);
  expect(heardSecond).toHaveBeenCalledExactlyOnceWith(change);
});

it("another tab leads after a close; all reload", async () => {
  createEventHub(AT, browser.tab(1));
  await settle();
  const resync = [2, 3].map((tab) => {
    const listener = vi.fn();
    createEventHub(AT, browser.tab(tab)).on("resync", listener);
    return listener;
  });
  await settle();
  browser.close(1);
  await settle();
  expect(browser.streams).toHaveLength(2);
  // A change before the resync would be missed a second time.
  for (const listener of resync) expect(listener).not.toHaveBeenCalled();
  browser.streams[1]?.onConnection(true);
  for (const listener of resync) expect(listener).toHaveBeenCalledOnce();
});

it("a later tab gets the connection's state", async () => {
  createEventHub(AT, browser.tab(1));
  await settle();
  browser.streams[0]?.onConnection(false);
  const listener = vi.fn();
  createEventHub(AT, browser.tab(2)).onConnection(listener);
  await settle();
  expect(listener).toHaveBeenCalledExactlyOnceWith(false);
});

it("reports a connection change once", async () => {
  const hub = createEventHub(AT, browser.tab(1));
  await settle();
  const listener = vi.fn();
  hub.onConnection(listener);
  browser.streams[0]?.onConnection(true);
  browser.streams[0]?.onConnection(false);
  browser.streams[0]?.onConnection(false);
  expect(listener.mock.calls).toEqual([[true], [false]]);
});

it("a removed listener gets no more events", async () => {
  const hub = createEventHub(AT, browser.tab(1));
  await settle();
  const listener = vi.fn();
  const stop = hub.on("settings.changed", listener);
  stop();
  browser.streams[0]?.onEvent("settings.changed", {}, "launch-8");
  expect(listener).not.toHaveBeenCalled();
});

it("without Web Locks each tab opens a stream", () => {
  createEventHub(AT, { ...browser.tab(1), locks: undefined });
  createEventHub(AT, { ...browser.tab(2), locks: undefined });
  expect(browser.streams).toHaveLength(2);
});

it("the first tab gets events since its frame", async () => {
  const hub = createEventHub(AT, browser.tab(1));
  await settle();
  const listener = vi.fn();
  hub.on("resync", listener);
  expect(browser.streams[0]?.since).toBe(AT);
  browser.streams[0]?.onConnection(true);
  expect(listener).not.toHaveBeenCalled();
});

it("a tab without a frame time reloads once", async () => {
  const hub = createEventHub(null, browser.tab(1));
  await settle();
  const listener = vi.fn();
  hub.on("resync", listener);
  for (const connected of [true, false, true]) browser.streams[0]?.onConnection(connected);
  expect(listener).toHaveBeenCalledOnce();
});

it.each([
  ["launch-7", 1],
  ["launch-8", 0],
])("a later tab at %s reloads %i times", async (at, times) => {
  const first = createEventHub(AT, browser.tab(1));
  await settle();
  browser.streams[0]?.onConnection(true);
  browser.streams[0]?.onEvent("settings.changed", {}, "launch-8");
  const [heardFirst, heard] = [vi.fn(), vi.fn()];
  first.on("resync", heardFirst);
  // Every listener is registered before anything comes over the channel.
  const parts = browser.tab(2);
  const { channel } = parts;
  const hello: unknown[] = [];
  const later = { ...channel, postMessage: (message: unknown) => void hello.push(message) } as HubParts["channel"];
  createEventHub(at, { ...parts, channel: later }).on("resync", heard);
  for (const message of hello) channel?.postMessage(message);
  await settle();
  // Another tab's greeting is answered, too.
  createEventHub("launch-8", browser.tab(3));
  await settle();
  expect(heard).toHaveBeenCalledTimes(times);
  expect(heardFirst).not.toHaveBeenCalled();
});
