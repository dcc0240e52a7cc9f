import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Crop, FolderEntry } from "../../api/backend";
import { StubHost } from "../../testing/stub-host";
import CropView from "./CropView.svelte";

let host: StubHost;
const oncrop = vi.fn<(crop: Crop) => void>();
const onclose = vi.fn();
const entry: FolderEntry = { name: "a.jpg", kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: "id", width: 4_000, height: 3_000 };

beforeEach(() => {
  host = new StubHost();
  vi.clearAllMocks();
  HTMLElement.prototype.setPointerCapture = vi.fn();
});

const open = (more: Partial<FolderEntry> = {}) => render(CropView, { entry: { ...entry, ...more }, url: "/api/image", host, oncrop, onclose });
const size = () => screen.getByTestId("crop-size").textContent;
const choose = (ratio: string) => fireEvent.change(screen.getByTestId("crop-ratio"), { target: { value: ratio } });
/** Drags an element by pixels of the screen. */
async function drag(element: HTMLElement, x: number, y: number) {
  const at = (clientX: number, clientY: number) => ({ button: 0, pointerId: 1, clientX, clientY });
  await fireEvent.pointerDown(element, at(500, 400));
  await fireEvent.pointerMove(element, at(500 + x, 400 + y));
  await fireEvent.pointerUp(element, at(500 + x, 400 + y));
}

describe("a crop", () => {
  it("is chosen by dragging, and applied", async () => {
    open();
    expect(size()).toBe("4,000 × 3,000");
    // The picture is 944 pixels wide on the stage.
    const [upperLeft] = screen.getAllByTestId("crop-handle");
    await drag(upperLeft as HTMLElement, 236, 0);
    expect(size()).toBe("3,000 × 3,000");
    await drag(screen.getByTestId("crop-frame"), -118, 50);
    await host.press("Enter");
    expect(oncrop).toHaveBeenCalledExactlyOnceWith({ x: 0.5, y: 0.5, width: 0.75, height: 1, angle: 0 });
    expect(onclose).toHaveBeenCalledOnce();
  });

  it("is moved and resized by keys", async () => {
    open({ crop: { x: 0.5, y: 0.5, width: 0.5, height: 0.5, angle: 0 }, width: 2_000, height: 1_500 });
    await host.press("ArrowRight");
    await host.press("Shift+ArrowDown");
    expect(size()).toBe("2,000 × 1,540");
    screen.getByTestId("crop-apply").click();
    expect(oncrop.mock.calls[0]?.[0]).toMatchObject({ x: 0.51, width: 0.5, height: 0.5133333 });
  });

  it("keeps a ratio, upright or across", async () => {
    open();
    await choose("16:9");
    expect(size()).toBe("4,000 × 2,250");
    await host.press("o");
    expect(size()).toBe("1,687 × 3,000");
    await choose("1:1");
    expect(size()).toBe("3,000 × 3,000");
    await host.press("0");
    expect(size()).toBe("4,000 × 3,000");
  });

  it("straightens, and fills the frame", async () => {
    open({ turn: 6, width: 3_000, height: 4_000 });
    await fireEvent.input(screen.getByTestId("crop-angle"), { target: { value: "5" } });
    expect(screen.getByTestId("crop-degrees").textContent).toBe("+5.0°");
    expect(screen.getByTestId("crop-image").style.transform).toContain("rotate(5deg)");
    await host.press(".");
    expect(screen.getByTestId("crop-degrees").textContent).toBe("+5.5°");
    await host.press("Enter");
    const [crop] = oncrop.mock.calls[0] ?? [];
    expect(crop?.angle).toBe(-5.5);
    expect(crop?.width).toBeLessThan(0.95);
    // In the orientation of the file.
    expect((crop?.width ?? 0) / (crop?.height ?? 1)).toBeCloseTo(1);
  });

  it("is left without a change", async () => {
    open();
    await choose("1:1");
    await host.press("Escape");
    expect(onclose).toHaveBeenCalledOnce();
    onclose.mockClear();
    await host.press("0");
    await host.press("Enter");
    await waitFor(() => expect(onclose).toHaveBeenCalledOnce());
    expect(oncrop).not.toHaveBeenCalled();
  });
});
