import { expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { ThumbnailLoad } from "./thumbnail-load.svelte";

const request = { url: "/a", aheadUrl: "/a?ahead", isVisible: false, isCalm: true };
const probe = vi.fn<(url: string, signal: AbortSignal) => Promise<void>>();

function start(more: Partial<typeof request> = {}) {
  const load = new ThumbnailLoad({ probe });
  load.update({ ...request, ...more });
  return load;
}

it("requests nothing during fast scrolling", () => {
  const load = start({ isCalm: false });
  expect(load.isStarted).toBe(false);
  load.update(request);
  expect(load.isStarted).toBe(true);
  load.update({ ...request, isCalm: false });
  expect(load.isStarted).toBe(true);
});

it("a visible place uses its own address", () => {
  const load = start();
  expect(load.src).toBe("/a?ahead");
  load.update({ ...request, isVisible: true });
  expect(load.src).toBe("/a");
  load.update(request);
  expect(load.src).toBe("/a");
});

it("a loaded thumbnail keeps its address", () => {
  const load = start();
  load.onload();
  load.update({ ...request, isVisible: true });
  expect([load.src, load.isEmpty]).toEqual(["/a?ahead", false]);
});

it("another picture beyond the view is requested ahead", () => {
  const load = start();
  load.onload();
  load.update({ ...request, url: "/b", aheadUrl: "/b?ahead" });
  expect(load.src).toBe("/b?ahead");
});

it("another picture starts over behind the previous thumbnail", () => {
  const load = start({ isVisible: true });
  load.onload();
  load.attempt = 2;
  load.update({ url: "/b", aheadUrl: "/b?ahead", isVisible: true, isCalm: true });
  expect([load.src, load.attempt, load.isEmpty]).toEqual(["/b", 0, false]);
});

it("a lasting failure has a reason", async () => {
  probe.mockRejectedValueOnce(new ApiError("picture_undecodable", 422, ""));
  const load = start();
  const failing = load.onerror();
  expect(load.isBroken).toBe(true);
  await failing;
  expect(load.failure?.reason).toMatchObject({ code: "picture_undecodable" });
});

it("another picture resets the failure", async () => {
  probe.mockImplementationOnce((_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))));
  const load = start();
  const failing = load.onerror();
  load.update({ ...request, url: "/b" });
  await failing;
  expect([load.failure, load.isBroken]).toEqual([null, false]);
});
