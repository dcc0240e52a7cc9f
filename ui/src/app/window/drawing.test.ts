// A window that shows nothing draws no frames.
import { afterEach, expect, it, vi } from "vitest";
import { whenDrawn } from "./drawing";

afterEach(() => vi.restoreAllMocks());

it("a few frames are waited for", async () => {
  const frames: FrameRequestCallback[] = [];
  vi.spyOn(globalThis, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
  const drawn = vi.fn();
  void whenDrawn().then(drawn);
  for (let frame = 0; frame < 4; frame += 1) {
    await vi.waitFor(() => expect(frames).toHaveLength(frame + 1));
    frames[frame]?.(0);
  }
  await vi.waitFor(() => expect(frames).toHaveLength(5));
  expect(drawn).not.toHaveBeenCalled();
  frames[4]?.(0);
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledOnce());
});

it("a hidden page is not waited for", async () => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  const request = vi.spyOn(globalThis, "requestAnimationFrame");
  await whenDrawn();
  expect(request).not.toHaveBeenCalled();
});
