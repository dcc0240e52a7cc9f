import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followDensity, pixelDensity } from "./pixel-density";

const { matchMedia } = window;
let queries: MediaQueryList[];

beforeEach(() => {
  queries = [];
  window.matchMedia = (media) => {
    const query = matchMedia(media);
    queries.push(query);
    return query;
  };
});
afterEach(() => {
  window.matchMedia = matchMedia;
  setDensity(1);
});

function setDensity(density: number): void {
  Object.defineProperty(window, "devicePixelRatio", { configurable: true, value: density });
}

/** Moves the window to another screen, where it has the same size: there is no resize event. */
function moveTo(density: number): void {
  const query = queries.at(-1);
  setDensity(density);
  query?.dispatchEvent(new Event("change"));
}

it("reports density changes even at the same size", () => {
  const onchange = vi.fn();
  const stop = followDensity(onchange);
  moveTo(2);
  expect(onchange).toHaveBeenCalledOnce();
  moveTo(1.5);
  expect(onchange).toHaveBeenCalledTimes(2);
  expect(queries.map(({ media }) => media)).toEqual(["(resolution: 1dppx)", "(resolution: 2dppx)", "(resolution: 1.5dppx)"]);
  stop();
  moveTo(1);
  window.dispatchEvent(new Event("resize"));
  expect(onchange).toHaveBeenCalledTimes(2);
});

it("enlarging a window reports only another density", () => {
  const onchange = vi.fn();
  const stop = followDensity(onchange);
  window.dispatchEvent(new Event("resize"));
  expect(onchange).not.toHaveBeenCalled();
  setDensity(2);
  window.dispatchEvent(new Event("resize"));
  expect(onchange).toHaveBeenCalledOnce();
  stop();
});

it("updates effects that read it", () => {
  const densities: number[] = [];
  const stop = $effect.root(() => {
    $effect(() => void densities.push(pixelDensity.current));
  });
  flushSync();
  moveTo(3);
  flushSync();
  expect(densities).toEqual([1, 3]);
  stop();
});
