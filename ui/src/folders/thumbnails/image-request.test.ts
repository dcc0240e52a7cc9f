// In WebKit the page requests a thumbnail, so that the request can be aborted.
import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { thumbProps as props } from "../../testing/thumb-props";
import Thumbnail from "./Thumbnail.svelte";

interface ImageRequest {
  url: string;
  signal: AbortSignal;
  answer: (response: Response) => void;
}

let requests: ImageRequest[] = [];
const last = () => requests.at(-1) as ImageRequest;
const image = () => screen.getByTestId("thumb");

beforeEach(() => {
  requests = [];
  vi.spyOn(navigator, "vendor", "get").mockReturnValue("Apple Computer, Inc.");
  const fetcher = (url: string, { signal }: { signal: AbortSignal }) =>
    new Promise<Response>((resolve, reject) => {
      requests.push({ url, signal, answer: resolve });
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  vi.stubGlobal("fetch", fetcher);
  let number = 0;
  URL.createObjectURL = vi.fn(() => `blob:${(number += 1)}`);
  URL.revokeObjectURL = vi.fn();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("shows the image and releases its address", async () => {
  render(Thumbnail, props);
  expect(requests.map(({ url }) => url)).toEqual(["/thumb/a?ahead"]);
  expect(image().hasAttribute("src")).toBe(false);
  last().answer(new Response("a"));
  await vi.waitFor(() => expect(image().getAttribute("src")).toBe("blob:1"));
  expect(URL.revokeObjectURL).not.toHaveBeenCalled();
  await fireEvent.load(image());
  expect(URL.revokeObjectURL).toHaveBeenCalledWith("blob:1");
});

it("hides an image until it is whole", async () => {
  const embedded = { name: "a.jpg", kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z", width: 4, height: 3, embeds: true };
  render(Thumbnail, { ...props, isVisible: true, entry: embedded });
  const small = screen.getByTestId("embedded");
  const [ofThumb] = requests.filter(({ url }) => url === props.url);
  const [ofSmall] = requests.filter(({ url }) => url === props.embedded);
  expect([image(), small].map(({ style }) => style.visibility)).toEqual(["hidden", "hidden"]);
  ofSmall?.answer(new Response("small"));
  await vi.waitFor(() => expect(small.hasAttribute("src")).toBe(true));
  expect(small.style.visibility).toBe("hidden");
  await fireEvent.load(small);
  expect([image(), small].map(({ style }) => style.visibility)).toEqual(["hidden", ""]);
  ofThumb?.answer(new Response("thumb"));
  await vi.waitFor(() => expect(image().hasAttribute("src")).toBe(true));
  await fireEvent.load(image());
  expect(image().style.visibility).toBe("");
});

it("ends the request when its cell is removed", () => {
  const { unmount } = render(Thumbnail, props);
  expect(last().signal.aborted).toBe(false);
  unmount();
  expect(last().signal.aborted).toBe(true);
});

it("replaces a request and keeps the image meanwhile", async () => {
  const { rerender } = render(Thumbnail, props);
  const ahead = last();
  await rerender({ isVisible: true });
  expect(ahead.signal.aborted).toBe(true);
  expect(last().url).toBe("/thumb/a");
  last().answer(new Response("a"));
  await vi.waitFor(() => expect(image().getAttribute("src")).toBe("blob:1"));
  await fireEvent.load(image());
  await rerender({ url: "/thumb/b" });
  expect(last().url).toBe("/thumb/b");
  expect(image().getAttribute("src")).toBe("blob:1");
  last().answer(new Response("b"));
  await vi.waitFor(() => expect(image().getAttribute("src")).toBe("blob:2"));
});

it("requests the reason of a failure", async () => {
  const probe = vi.spyOn(props.folders, "probe").mockRejectedValue(new Error("no"));
  render(Thumbnail, props);
  last().answer(new Response("", { status: 404 }));
  await screen.findByTestId("thumb-failed");
  expect(probe).toHaveBeenCalledWith("/thumb/a?ahead", expect.any(AbortSignal));
});
