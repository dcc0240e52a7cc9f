import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openStream } from "./event-stream";

class FakeSource extends EventTarget {
  static made: FakeSource[] = [];
  static readonly CLOSED = 2;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeSource.made.push(this);
  }

  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
}

const listener = { onEvent: vi.fn(), onConnection: vi.fn(), onGap: vi.fn() };
const last = () => FakeSource.made.at(-1) as FakeSource;

beforeEach(() => {
  FakeSource.made = [];
  vi.resetAllMocks();
  vi.stubGlobal("EventSource", FakeSource);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("forwards named events", () => {
  openStream(null, listener);
  last().dispatchEvent(new MessageEvent("page.unlocked", { data: '{"type":"page.unlocked","page_id":"P1"}', lastEventId: "launch-7" }));
  last().dispatchEvent(new MessageEvent("resync", { data: '{"type":"resync"}' }));
  expect(listener.onEvent.mock.calls).toEqual([
    ["page.unlocked", { type: "page.unlocked", page_id: "P1" }, "launch-7"],
    ["resync", { type: "resync" }, ""],
  ]);
});

it("lets the browser resume a broken connection", () => {
  openStream(null, listener);
  last().onopen?.();
  last().onerror?.();
  vi.advanceTimersByTime(60_000);
  last().onopen?.();
  expect(FakeSource.made).toHaveLength(1);
  expect(listener.onConnection.mock.calls).toEqual([[true], [false], [true]]);
  expect(listener.onGap).not.toHaveBeenCalled();
});

it("reopens a closed stream, and reports a gap", () => {
  openStream(null, listener);
  last().onopen?.();
  last().readyState = FakeSource.CLOSED;
  last().onerror?.();
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.made).toHaveLength(2);
  last().onopen?.();
  expect(listener.onGap).toHaveBeenCalledOnce();
});

it("starts after the given event, reconnects without it", () => {
  openStream("launch-7", listener);
  expect(last().url).toBe("/api/events?since=launch-7");
  last().readyState = FakeSource.CLOSED;
  last().onerror?.();
  vi.advanceTimersByTime(1_000);
  expect(last().url).toBe("/api/events");
});

it("a closed stream stays closed", () => {
  const stream = openStream(null, listener);
  last().readyState = FakeSource.CLOSED;
  last().onerror?.();
  stream.close();
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.made).toHaveLength(1);
});
