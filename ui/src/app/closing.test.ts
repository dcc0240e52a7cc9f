import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeDesktop } from "../testing/fake-backend";
import { Closing } from "./closing";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function window_() {
  let close: () => void = () => {};
  const desktop = fakeDesktop({
    onWindowClosing: (handler) => {
      close = handler;
      return Promise.resolve(() => {});
    },
  });
  const closing = new Closing();
  closing.start(desktop);
  return { desktop, closing, close: () => close() };
}

it("the window goes when everything has been flushed, though one of them fails", async () => {
  const { desktop, closing, close } = window_();
  let done: () => void = () => {};
  closing.add(() => new Promise<void>((resolve) => (done = resolve)));
  closing.add(() => Promise.reject(new Error("no")));
  closing.add(() => {
    throw new Error("no");
  });
  close();
  await vi.advanceTimersByTimeAsync(500);
  expect(desktop.closeWindow).not.toHaveBeenCalled();
  done();
  await vi.advanceTimersByTimeAsync(0);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
});

it("the window does not wait for ever", async () => {
  const { desktop, closing, close } = window_();
  closing.add(() => new Promise<void>(() => {}));
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
});

it("what has been taken back is not asked", async () => {
  const { closing, close } = window_();
  const flush = vi.fn();
  closing.add(flush)();
  close();
  await vi.advanceTimersByTimeAsync(0);
  expect(flush).not.toHaveBeenCalled();
});

it("a browser's tab flushes when its page is hidden for good", () => {
  const closing = new Closing();
  const stop = closing.start(null);
  const flush = vi.fn();
  closing.add(flush);
  window.dispatchEvent(new Event("pagehide"));
  expect(flush).toHaveBeenCalledOnce();
  stop();
});
