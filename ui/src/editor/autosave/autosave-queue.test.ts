import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, type ApiErrorCode } from "../../api/errors";
import { AutosaveQueue, type AutosaveState } from "./autosave-queue";

const error = (code: ApiErrorCode) => new ApiError(code, 0, code);

let put: ReturnType<typeof vi.fn<(text: string, seq: number) => Promise<void>>>;
let onSaved: ReturnType<typeof vi.fn<(revision: number) => Promise<void>>>;
let states: AutosaveState["kind"][];
let queue: AutosaveQueue;

beforeEach(() => {
  vi.useFakeTimers();
  put = vi.fn<(text: string, seq: number) => Promise<void>>(() => Promise.resolve());
  onSaved = vi.fn<(revision: number) => Promise<void>>(() => Promise.resolve());
  states = [];
  queue = new AutosaveQueue({ put, onSaved, onState: ({ kind }) => states.push(kind) });
});

afterEach(() => {
  queue.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("writes the newest text within a second", async () => {
  queue.change(() => "a");
  await pass(300);
  queue.change(() => "ab");
  await pass(699);
  expect(put.mock.calls).toEqual([["ab", 1]]);
  expect(states.at(-1)).toBe("saved");
});

it("writes during continuous typing", async () => {
  for (let at = 0; at < 30; at++) {
    queue.change(() => "x".repeat(at + 1));
    await pass(100);
  }
  expect(put.mock.calls.length).toBeGreaterThanOrEqual(4);
});

it("raises its number with every write", async () => {
  for (const text of ["a", "b", "c"]) {
    queue.change(() => text);
    await pass(1_000);
  }
  expect(put.mock.calls.map(([, seq]) => seq)).toEqual([1, 2, 3]);
});

it("writes one at a time, the newest last", async () => {
  let done: () => void = () => undefined;
  put.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  queue.change(() => "a");
  await pass(700);
  queue.change(() => "b");
  queue.change(() => "c");
  await pass(5_000);
  expect(put).toHaveBeenCalledTimes(1);
  done();
  await pass(1_000);
  expect(put.mock.calls).toEqual([
    ["a", 1],
    ["c", 2],
  ]);
});

it("retries and reports a failure with current text", async () => {
  put.mockRejectedValueOnce(error("unreachable")).mockRejectedValueOnce(error("disk_full"));
  queue.change(() => "a");
  await pass(700);
  expect(states.at(-1)).toBe("failed");
  await pass(1_000);
  expect(states.at(-1)).toBe("failed");
  await pass(2_000);
  expect(states.at(-1)).toBe("saved");
  expect(put.mock.calls.map(([text]) => text)).toEqual(["a", "a", "a"]);
});

it("takes the last sequence number from the server", async () => {
  put.mockRejectedValueOnce(new ApiError("stale_sequence", 409, "", { seq: 41 }));
  queue.change(() => "a");
  await pass(700);
  expect(put).toHaveBeenLastCalledWith("a", 42);
  expect(states.at(-1)).toBe("saved");
});

it("continues the tab's numbers after a lost answer", async () => {
  put.mockRejectedValueOnce(new ApiError("stale_sequence", 409, "", { revision: 3 }));
  queue.change(() => "a");
  await pass(700);
  expect(onSaved).toHaveBeenCalledExactlyOnceWith(3);
  expect(put).toHaveBeenLastCalledWith("a", 2);
  expect(states.at(-1)).toBe("saved");
});

it("flushes at once", async () => {
  queue.change(() => "a");
  await queue.flush();
  expect(put).toHaveBeenCalledTimes(1);
  await queue.flush();
  await pass(5_000);
  expect(put).toHaveBeenCalledTimes(1);
});

it("flushes text typed during a write", async () => {
  let done: () => void = () => undefined;
  put.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  queue.change(() => "a");
  await pass(700);
  queue.change(() => "b");
  const flushed = queue.flush();
  done();
  await flushed;
  expect(put).toHaveBeenLastCalledWith("b", 2);
});

it("pauses during a save", async () => {
  let done: () => void = () => undefined;
  put.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  queue.change(() => "a");
  await pass(700);
  queue.change(() => "b");
  const hold = queue.hold();
  done();
  await hold;
  await pass(5_000);
  expect(put).toHaveBeenCalledTimes(1);
  queue.resume();
  await pass(0);
  expect(put).toHaveBeenLastCalledWith("b", 2);
});

it("writes nothing after closing", async () => {
  queue.change(() => "a");
  queue.close();
  await queue.flush();
  await pass(5_000);
  expect(put).not.toHaveBeenCalled();
});

it("reports no success for a dropped write", async () => {
  let done: () => void = () => undefined;
  put.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  queue.change(() => "a");
  await pass(700);
  queue.change(() => "b");
  const flushed = queue.flush();
  queue.close();
  done();
  expect(await flushed).toBe(false);
  expect(states.at(-1)).toBe("pending");
});

it("reports no pending copy while writes fail", async () => {
  put.mockRejectedValue(error("disk_full"));
  queue.change(() => "a");
  await pass(700);
  expect(states.at(-1)).toBe("failed");
  states.length = 0;
  queue.change(() => "ab");
  await pass(4_000);
  expect(states.length).toBeGreaterThan(0);
  expect(new Set(states)).toEqual(new Set(["failed"]));
  put.mockResolvedValue();
  await pass(11_000);
  expect(states.at(-1)).toBe("saved");
  queue.change(() => "abc");
  expect(states.at(-1)).toBe("pending");
});

it("reports an unreachable server, and the next copy", async () => {
  let done: () => void = () => undefined;
  put.mockImplementationOnce(() => new Promise((resolve) => (done = resolve)));
  queue.change(() => "a");
  await pass(700);
  expect(states.at(-1)).toBe("pending");
  await pass(5_000);
  expect(states.at(-1)).toBe("failed");
  queue.change(() => "ab");
  expect(states.at(-1)).toBe("failed");
  done();
  await pass(0);
  expect(states.at(-1)).toBe("pending");
  await pass(700);
  expect(states.at(-1)).toBe("saved");
});
