import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { ROOT_PATH } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { FITTED } from "../../zoom/zoom";
import PictureStage from "./PictureStage.svelte";

const entry = (name: string) => ({ name, kind: "picture" as const, size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, width: 4_000, height: 3_000 });

function open(prepared: HTMLCanvasElement | null = null) {
  const { folders } = new FakeBackend();
  const props = { root: "R1", path: ROOT_PATH, folders, thumbnail: 192, viewport: FITTED, onviewport: vi.fn(), margin: { width: 0, height: 0 }, onframe: vi.fn() };
  return render(PictureStage, { ...props, entry: entry("a.jpg"), prepared });
}

const image = () => screen.getByTestId("viewer-image");
/** The layers of the stage, from the lowest: canvases, and what images request. */
const layers = () =>
  [...screen.getByTestId("viewer-stage").querySelectorAll("img, canvas")].map((layer) => {
    const { pathname, searchParams } = new URL(layer.getAttribute("src") ?? "/canvas", "http://localhost");
    return [pathname, searchParams.get("path")].join(" ").trim();
  });

it("a prepared picture stays until painted", async () => {
  const canvas = document.createElement("canvas");
  open(canvas);
  await waitFor(() => expect(screen.getByTestId("viewer-prepared").firstChild).toBe(canvas));
  expect(layers()).toEqual(["/canvas", "/api/image a.jpg"]);
  expect(screen.getByTestId("viewer-prepared").getAttribute("style")).toBe(image().getAttribute("style"));
  await fireEvent.load(image());
  // Both are there while the picture is painted for the first time.
  await waitFor(() => expect(image().classList.contains("loading")).toBe(false));
  expect(layers()).toEqual(["/canvas", "/api/image a.jpg"]);
  await waitFor(() => expect(layers()).toEqual(["/api/image a.jpg"]));
});

it("the previous picture stays until the thumbnail", async () => {
  const { rerender } = open();
  await fireEvent.load(image());
  await waitFor(() => expect(layers()).toEqual(["/api/image a.jpg"]));
  await rerender({ entry: entry("b.jpg") });
  await waitFor(() => expect(layers()).toEqual(["/api/image a.jpg", "/thumb b.jpg", "/api/image b.jpg"]));
  const thumbnail = screen.getByTestId("viewer-stage").querySelectorAll("img")[1];
  await fireEvent.load(thumbnail ?? document);
  expect(layers()).toEqual(["/thumb b.jpg", "/api/image b.jpg"]);
  // A picture that was never shown does not stay.
  await rerender({ entry: entry("c.jpg") });
  await waitFor(() => expect(layers()).toEqual(["/thumb c.jpg", "/api/image c.jpg"]));
});
