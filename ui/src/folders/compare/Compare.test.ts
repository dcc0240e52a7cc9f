import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { ROOT_PATH } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { RatingAdvance } from "../marks/rating-advance.svelte";
import Compare from "./Compare.svelte";

let host: StubHost;
const entry = (name: string, width: number, height: number) => ({
  name,
  kind: "picture" as const,
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
  width,
  height,
});

beforeEach(() => {
  host = new StubHost();
});

async function open() {
  const { folders } = new FakeBackend();
  const onclose = vi.fn();
  const entries = [entry("a.jpg", 4_000, 3_000), entry("b.jpg", 4_000, 3_000), entry("c.jpg", 2_000, 3_000)];
  const view = render(Compare, { entries, root: "R1", path: ROOT_PATH, folders, host, thumbnail: 192, onclose, at: 0, onat: vi.fn(), advance: new RatingAdvance() });
  await waitFor(() => expect(captions()[0]).toContain("%"));
  return { onclose, entries, ...view };
}

const captions = () => screen.getAllByTestId("compare-picture").map((one) => one.querySelector("figcaption")?.textContent);
const places = () => screen.getAllByTestId("viewer-image").map((image) => image.style.transform);

it("pictures start fitted", async () => {
  await open();
  expect(captions()).toEqual(["a.jpg25%", "b.jpg25%", "c.jpg26%"]);
});

it("zoom, pan and rotation apply to all", async () => {
  await open();
  expect(host.named("ArrowLeft")).toBeUndefined();
  const [, second] = screen.getAllByTestId("viewer-stage");
  await fireEvent.wheel(second ?? document, { deltaY: -600, clientX: 700, clientY: 500 });
  const [a, b] = places();
  expect(a).toBe(b);
  expect(captions().slice(0, 2)).toEqual(["a.jpg45%", "b.jpg45%"]);
  await waitFor(() => expect(host.named("ArrowLeft")).toBe("Pan"));
  await host.press("ArrowLeft");
  await waitFor(() => expect(places()[0]).not.toBe(a));
  expect(places()[0]).toBe(places()[1]);
  await host.press("z");
  await waitFor(() => expect(captions()).toEqual(["a.jpg100%", "b.jpg100%", "c.jpg100%"]));
  await host.press("r");
  await waitFor(() => expect(places().every((place) => place.endsWith("rotate(90deg)"))).toBe(true));
});

it("buttons zoom the picture with the focus", async () => {
  const { rerender } = await open();
  await rerender({ at: 2 });
  expect(screen.getByTestId("zoom").textContent).toBe("26%");
  await fireEvent.click(screen.getByTestId("zoom-in"));
  await waitFor(() => expect(captions()).toEqual(["a.jpg30%", "b.jpg30%", "c.jpg30%"]));
  await fireEvent.click(screen.getByTestId("zoom-fit"));
  await waitFor(() => expect(captions()).toEqual(["a.jpg25%", "b.jpg25%", "c.jpg26%"]));
});

it("unlinked pictures have views of their own", async () => {
  const { rerender } = await open();
  await host.press("Shift+l");
  await waitFor(() => expect(screen.getByTestId("compare-link").getAttribute("aria-pressed")).toBe("false"));
  await host.press("z");
  await waitFor(() => expect(captions()).toEqual(["a.jpg100%", "b.jpg25%", "c.jpg26%"]));
  await host.press("ArrowRight");
  // The arrow keys pan only what the keys zoom.
  await rerender({ at: 1 });
  await waitFor(() => expect(host.named("ArrowRight")).toBeUndefined());
  await host.press("z");
  await waitFor(() => expect(captions()).toEqual(["a.jpg100%", "b.jpg100%", "c.jpg26%"]));
  const [first, second] = places();
  expect(first).not.toBe(second);
});

it("linked again, aligned pictures stay aligned", async () => {
  const { rerender } = await open();
  await host.press("z");
  await host.press("Shift+l");
  await host.press("ArrowRight");
  await host.press("Shift+l");
  const left = () => places().slice(0, 2).map((place) => Number(/translate\((\S+)px/.exec(place)?.[1]));
  await waitFor(() => expect(left()).toEqual([-1580, -1500]));
  await rerender({ at: 1 });
  await host.press("ArrowRight");
  await waitFor(() => expect(left()).toEqual([-1660, -1580]));
});

it("Escape and the button close it", async () => {
  const { onclose, entries, rerender } = await open();
  await host.press("Escape");
  await fireEvent.click(screen.getByTestId("compare-close"));
  expect(onclose).toHaveBeenCalledTimes(2);
  await rerender({ entries: entries.slice(1) });
  await waitFor(() => expect(captions()).toEqual(["b.jpg25%", "c.jpg26%"]));
});
