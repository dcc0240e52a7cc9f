import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { areaOf, histogramOf, tonesOf } from "./histogram";
import PictureHistogram from "./PictureHistogram.svelte";
import { pixelsOf } from "./pixels";

type Pixel = readonly [red: number, green: number, blue: number, alpha?: number];
const data = (...pixels: Pixel[]) => new Uint8ClampedArray(pixels.flatMap(([red, green, blue, alpha = 255]) => [red, green, blue, alpha]));

describe("the histogram", () => {
  it("counts colours and luminance of visible pixels", () => {
    const histogram = histogramOf(data([255, 0, 0], [0, 255, 0], [0, 0, 255], [10, 20, 30], [9, 9, 9, 0]));
    expect(histogram?.pixels).toBe(4);
    expect([histogram?.red[255], histogram?.red[0], histogram?.red[10], histogram?.red[9]]).toEqual([1, 2, 1, 0]);
    expect([histogram?.green[255], histogram?.blue[255], histogram?.blue[30]]).toEqual([1, 1, 1]);
    expect([54, 182, 18, 19].map((value) => histogram?.luma[value])).toEqual([1, 1, 1, 1]);
  });

  it("without visible pixels is null", () => {
    expect(histogramOf(data())).toBeNull();
    expect(histogramOf(data([1, 2, 3, 0]))).toBeNull();
  });

  it("computes the shares of tones", () => {
    const histogram = histogramOf(data([0, 0, 0], [84, 84, 84], [85, 85, 85], [170, 170, 170], [171, 171, 171], [255, 255, 255], [255, 255, 255], [128, 128, 128]));
    expect(histogram && tonesOf(histogram)).toEqual({ dark: 0.25, middle: 0.375, light: 0.375, black: 0.125, white: 0.25 });
  });

  it("scales to its highest inner value", () => {
    const values = new Uint32Array(256);
    values.set([1_000], 0);
    values.set([5, 5], 100);
    values.set([5], 200);
    const steps = areaOf(values).split("h1");
    expect(steps).toHaveLength(65);
    expect([steps[0], steps[1], steps[25], steps[50]]).toEqual(["M0 1V0", "V1", "V0", "V0.5"]);
    expect(areaOf(new Uint32Array(256).fill(9, 0, 1))).toContain("M0 1V0h1V1");
  });
});

describe("the histogram beside a picture", () => {
  const context = { drawImage: vi.fn(), getImageData: vi.fn() };
  const never = new AbortController().signal;

  function canvas(pixels: () => Uint8ClampedArray) {
    context.getImageData.mockReset().mockImplementation(() => ({ data: pixels() }));
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
    vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(2);
    vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockReturnValue(2);
  }
  afterEach(() => vi.restoreAllMocks());

  /** Returns the elements that take space in the section, and those with contents. */
  const shape = () => {
    const section = screen.getByTestId("histogram");
    return { curves: section.querySelectorAll("svg").length, lines: section.querySelectorAll("p").length, told: section.querySelectorAll("path, .tones").length };
  };

  it("has a text and follows the picture", async () => {
    let pixels = data([0, 0, 0], [0, 0, 0], [255, 255, 255], [128, 128, 128]);
    canvas(() => pixels);
    const { rerender } = render(PictureHistogram, { url: "/thumb/a" });
    await waitFor(() => expect(screen.getByTestId("histogram").textContent).toContain("Shadows 50%, midtones 25%, highlights 25%"));
    expect(shape()).toEqual({ curves: 4, lines: 2, told: 6 });
    expect(screen.getByTestId("histogram").textContent).toContain("Pure black 50% · pure white 25%");
    pixels = data([128, 128, 128]);
    await rerender({ url: "/thumb/b" });
    await waitFor(() => expect(screen.getByTestId("histogram").textContent).toContain("midtones 100%"));
  });

  it("reserves its space before data arrives", () => {
    canvas(() => data([1, 1, 1]));
    render(PictureHistogram, { url: "/thumb/a" });
    expect(shape()).toEqual({ curves: 4, lines: 2, told: 0 });
  });

  it("keeps its space when pixels are unreadable", async () => {
    canvas(() => {
      throw new DOMException("tainted", "SecurityError");
    });
    expect(await pixelsOf("/thumb/a", never)).toBeNull();
    vi.spyOn(HTMLImageElement.prototype, "decode").mockRejectedValue(new DOMException("broken", "EncodingError"));
    expect(await pixelsOf("/thumb/a", never)).toBeNull();
    render(PictureHistogram, { url: "/thumb/a" });
    await screen.findByText("Not available for this picture.");
    expect(shape()).toEqual({ curves: 4, lines: 2, told: 0 });
  });

  it("passes on unexpected errors", async () => {
    canvas(() => {
      throw new RangeError("ours");
    });
    await expect(pixelsOf("/thumb/a", never)).rejects.toThrow("ours");
  });

  it("is cancelled with the picture", async () => {
    canvas(() => data([1, 1, 1]));
    const ending = new AbortController();
    const pixels = pixelsOf("/thumb/a", ending.signal);
    ending.abort();
    expect(await pixels).toBeNull();
    expect(context.getImageData).not.toHaveBeenCalled();
  });
});
