import { beforeEach, expect, it } from "vitest";
import { PreparedPictures, type ReducePicture, reducedSize } from "./prepared-pictures";

const stage = { width: 1_500, height: 1_000 };
const picture = (url: string) => ({ url, size: { width: 6_000, height: 4_000 } });
const passed = () => new Promise((resolve) => setTimeout(resolve));

/** The pictures whose decoding was started, and the ends of those that wait. */
let begun: { url: string; signal: AbortSignal; end: (canvas?: HTMLCanvasElement) => void }[];
let prepared: PreparedPictures;

const reduce: ReducePicture = (url, _size, signal) =>
  new Promise((resolve, reject) => {
    begun.push({ url, signal, end: (canvas) => (canvas ? resolve(canvas) : reject(new Error("damaged"))) });
  });
const urls = () => begun.map(({ url }) => url);
async function end(canvas?: HTMLCanvasElement) {
  begun.at(-1)?.end(canvas);
  await passed();
}

beforeEach(() => {
  begun = [];
  prepared = new PreparedPictures(reduce);
});

it("prepares one after the other, once", async () => {
  const canvas = document.createElement("canvas");
  prepared.prepare([picture("b"), picture("a")], "now", stage);
  expect(urls()).toEqual(["b"]);
  prepared.prepare([picture("b"), picture("a")], "now", stage);
  await end(canvas);
  expect(urls()).toEqual(["b", "a"]);
  await end();
  // One that can't be decoded is not tried again.
  prepared.prepare([picture("b"), picture("a")], "now", stage);
  expect(urls()).toEqual(["b", "a"]);
  expect([prepared.get("b"), prepared.get("a")]).toEqual([canvas, null]);
});

it("keeps the current picture and its neighbours", async () => {
  const canvases = ["b", "c"].map(() => document.createElement("canvas"));
  prepared.prepare([picture("b")], "a", stage);
  await end(canvases[0]);
  prepared.prepare([picture("c")], "b", stage);
  await end(canvases[1]);
  expect([prepared.get("b"), prepared.get("c")]).toEqual(canvases);
  prepared.prepare([picture("d")], "c", stage);
  expect(prepared.get("b")).toBeNull();
});

it("aborts a picture that is passed", async () => {
  prepared.prepare([picture("b")], "a", stage);
  prepared.prepare([picture("d")], "c", stage);
  expect(begun[0]?.signal.aborted).toBe(true);
  await end(document.createElement("canvas"));
  expect(prepared.get("b")).toBeNull();
  expect(urls()).toEqual(["b", "d"]);
  prepared.dispose();
  expect(begun[1]?.signal.aborted).toBe(true);
});

it.each([
  ["fits into the stage", { width: 6_000, height: 4_000 }, { width: 1_500, height: 1_000 }],
  ["is not enlarged", { width: 30, height: 20 }, { width: 30, height: 20 }],
  ["keeps a line of pixels", { width: 90_000, height: 1 }, { width: 1_500, height: 1 }],
])("a picture %s", (_, from, to) => {
  expect(reducedSize(from, stage)).toEqual(to);
});

it("the memory of a picture is bounded", () => {
  const { width, height } = reducedSize({ width: 16_000, height: 9_000 }, { width: 7_680, height: 4_320 });
  expect(width * height).toBeLessThanOrEqual(4.2e6);
});
