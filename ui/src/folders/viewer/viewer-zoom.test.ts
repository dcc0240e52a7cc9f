import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { sessionMemory } from "../session/session-memory";
import { FITTED, type Viewport } from "../../zoom/zoom";
import { ViewerZoom } from "./viewer-zoom.svelte";

const entry = (name: string, width: number | null = 40): FolderEntry => ({ name, kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", width, height: 30 });
const zoomed: Viewport = { ...FITTED, zoom: 2 };

beforeEach(() => {
  sessionMemory.isViewKept = false;
});

function show(...entries: FolderEntry[]): ViewerZoom {
  const zoom = new ViewerZoom();
  const [first, ...others] = entries;
  if (first) zoom.show(first);
  zoom.change(zoomed);
  for (const one of others) zoom.show(one);
  return zoom;
}

it("another picture starts fitted", () => {
  expect(show(entry("a"), entry("b")).viewport).toEqual(FITTED);
});

it("a kept view applies to the next picture", () => {
  const zoom = show(entry("a"));
  zoom.toggleKeep();
  zoom.show(entry("b"));
  expect(zoom.viewport).toBe(zoomed);
  expect(new ViewerZoom().isKept).toBe(true);
});

it("the same picture stays zoomed", () => {
  expect(show(entry("a"), entry("a")).viewport).toBe(zoomed);
});

it("a picture of another size starts fitted", () => {
  expect(show(entry("a"), entry("a", 80)).viewport).toEqual(FITTED);
});

it("an unknown size changes nothing", () => {
  expect(show(entry("a"), entry("a", null), entry("a")).viewport).toBe(zoomed);
  expect(show(entry("a"), entry("a", null), entry("a", 80)).viewport).toEqual(FITTED);
});

it("a picture larger than the stage overflows", () => {
  const zoom = show(entry("a"));
  expect(zoom.overflow).toEqual({ x: false, y: false });
  zoom.frame = { picture: { width: 40, height: 30 }, stage: { width: 60, height: 100 }, margin: { width: 0, height: 0 }, density: 1 };
  expect(zoom.overflow).toEqual({ x: true, y: false });
});
