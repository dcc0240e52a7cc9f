import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FlushResult } from "../../api/host";
import { fakeDesktop } from "../../testing/fake-backend";
import { ClosingSequence, type Loss } from "./window-closing";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function window_() {
  const desktop = fakeDesktop();
  const answers: ((yes: boolean) => void)[] = [];
  const ask = vi.fn<(lost: Loss, withdrawn: AbortSignal) => Promise<boolean>>(
    (_, withdrawn) =>
      new Promise((resolve) => {
        answers.push(resolve);
        withdrawn.addEventListener("abort", () => resolve(false));
      }),
  );
  const closing = new ClosingSequence(ask);
  const close = (may_stay = true) => void closing.end(desktop, { may_stay });
  return { desktop, closing, close, ask, answer: (yes: boolean) => answers.pop()?.(yes) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it("closes without a question once everything is saved", async () => {
  const { desktop, closing, close, ask } = window_();
  let done: (result: FlushResult) => void = () => {};
  closing.add((certain) => (certain ? "saved" : new Promise<FlushResult>((resolve) => (done = resolve))));
  closing.add(() => "saved");
  close();
  await vi.advanceTimersByTimeAsync(500);
  expect(desktop.closeWindow).not.toHaveBeenCalled();
  done("saved");
  await settle();
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
  expect(ask).not.toHaveBeenCalled();
});

it.each([
  ["is not saved", () => Promise.resolve<FlushResult>("unsaved")],
  ["fails", () => Promise.reject<FlushResult>(new Error("no"))],
  ["takes too long", () => new Promise<FlushResult>(() => {})],
])("waits for an answer when text %s", async (_, flush) => {
  const { desktop, closing, close, ask, answer } = window_();
  const other = vi.fn(() => "saved" as const);
  closing.add(flush);
  closing.add(other);
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(other).toHaveBeenCalledOnce();
  expect(desktop.keepWindow).toHaveBeenCalledOnce();
  expect(ask).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(desktop.closeWindow).not.toHaveBeenCalled();
  answer(false);
  await settle();
  expect(desktop.closeWindow).not.toHaveBeenCalled();
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  answer(true);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(other).toHaveBeenLastCalledWith(true);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
});

it("drops the question when a slow save succeeds", async () => {
  const { desktop, closing, close, ask } = window_();
  let done: (result: FlushResult) => void = () => {};
  const flush = vi.fn((certain: boolean) => (certain ? "saved" : new Promise<FlushResult>((resolve) => (done = resolve))));
  closing.add(flush);
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(ask).toHaveBeenCalledOnce();
  expect(flush).not.toHaveBeenCalledWith(true);
  done("saved");
  await settle();
  expect(flush).toHaveBeenLastCalledWith(true);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
  expect(ask).toHaveBeenCalledOnce();
});

it("asks in other words while saving is slow", async () => {
  const { desktop, closing, close, ask, answer } = window_();
  let done: (result: FlushResult) => void = () => {};
  closing.add(() => new Promise<FlushResult>((resolve) => (done = resolve)));
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(ask).toHaveBeenLastCalledWith("unsaved", expect.anything());
  done("files at stake");
  await settle();
  expect(ask).toHaveBeenLastCalledWith("files at stake", expect.anything());
  answer(false);
  await settle();
  expect(desktop.closeWindow).not.toHaveBeenCalled();
});

it("drops the question when a retry succeeds", async () => {
  const { desktop, closing, close, ask } = window_();
  const flush = vi.fn<(certain: boolean) => FlushResult>(() => "unsaved");
  closing.add(flush);
  close();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(ask).toHaveBeenCalledOnce();
  expect(desktop.closeWindow).not.toHaveBeenCalled();
  flush.mockReturnValue("saved");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(flush).toHaveBeenLastCalledWith(true);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
});

it("does not retry after the answer", async () => {
  const { closing, close, answer } = window_();
  const flush = vi.fn<(certain: boolean) => FlushResult>(() => "unsaved");
  closing.add(flush);
  close();
  await settle();
  answer(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(flush).toHaveBeenCalledExactlyOnceWith(false);
});

it("ignores later results when the user stays", async () => {
  const { desktop, closing, close, answer } = window_();
  let done: (result: FlushResult) => void = () => {};
  const flush = vi.fn(() => new Promise<FlushResult>((resolve) => (done = resolve)));
  closing.add(flush);
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  answer(false);
  await settle();
  done("saved");
  await settle();
  expect(flush).toHaveBeenCalledExactlyOnceWith(false);
  expect(desktop.closeWindow).not.toHaveBeenCalled();
});

it("limits the wait for a slow lock release", async () => {
  const { desktop, closing, close } = window_();
  closing.add((certain) => (certain ? new Promise<FlushResult>(() => {}) : "saved"));
  close();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
});

it("asks about the worst possible loss", async () => {
  const { closing, close, ask, answer } = window_();
  closing.add(() => "saved");
  closing.add(() => "files at stake");
  close();
  await settle();
  expect(ask).toHaveBeenLastCalledWith("files at stake", expect.anything());
  answer(false);
  await settle();
  closing.add(() => "unsaved");
  close();
  await settle();
  expect(ask).toHaveBeenLastCalledWith("unsaved", expect.anything());
});

it("closing twice asks once", async () => {
  const { desktop, closing, close, ask } = window_();
  closing.add(() => "unsaved");
  close();
  await settle();
  close();
  await settle();
  expect(ask).toHaveBeenCalledOnce();
  expect(desktop.keepWindow).toHaveBeenCalledTimes(2);
  expect(desktop.closeWindow).not.toHaveBeenCalled();
});

it("the end of the session awaits no answer", async () => {
  const { desktop, closing, close, ask } = window_();
  const flush = vi.fn(() => "unsaved" as const);
  closing.add(flush);
  close();
  await settle();
  close(false);
  await settle();
  expect(flush).not.toHaveBeenCalledWith(true);
  expect(desktop.closeWindow).toHaveBeenCalledOnce();
  expect(ask).toHaveBeenCalledOnce();
});

it("does not ask removed listeners", async () => {
  const { closing, close } = window_();
  const flush = vi.fn(() => "saved" as const);
  closing.add(flush)();
  close();
  await settle();
  expect(flush).not.toHaveBeenCalled();
});

it("flushes when a browser tab hides for good", () => {
  const closing = new ClosingSequence(() => Promise.resolve(true));
  const stop = closing.listen();
  const flush = vi.fn(() => "saved" as const);
  closing.add(flush);
  window.dispatchEvent(new Event("pagehide"));
  expect(flush).toHaveBeenCalledOnce();
  stop();
});
