import { beforeEach, expect, it } from "vitest";
import { PageRenderer } from "../../markdown/rendering/page-renderer";
import { PreviewBlocks } from "./preview-blocks";

const WORDS = { remotePicture: "", unknownPicture: "", callout: () => "", leftOut: () => "" };

let root: HTMLElement;
let preview: PreviewBlocks;
let renderer: PageRenderer;

beforeEach(() => {
  root = document.createElement("div");
  preview = new PreviewBlocks(root);
  renderer = new PageRenderer("/p", WORDS);
});

const show = (source: string) => preview.update(renderer.render(source).blocks);
const texts = () => [...root.children].map((element) => element.textContent.trim());

it("keeps the elements of unchanged blocks", () => {
  show("a\n\nb\n\nc");
  const [first, , last] = root.children;
  expect(show("a\n\nB\n\nc").map((element) => element.textContent.trim())).toEqual(["B"]);
  expect([...root.children].at(0)).toBe(first);
  expect([...root.children].at(2)).toBe(last);
  expect(texts()).toEqual(["a", "B", "c"]);
});

it("moves a block instead of recreating it", () => {
  show("a\n\nb\n\nc");
  const moved = root.children[0];
  expect(show("b\n\nc\n\na")).toEqual([]);
  expect(root.children[2]).toBe(moved);
  expect(texts()).toEqual(["b", "c", "a"]);
});

it("distinguishes equal blocks", () => {
  show("a\n\na");
  expect(show("a\n\na\n\na")).toHaveLength(1);
  expect(texts()).toEqual(["a", "a", "a"]);
  show("a");
  expect(texts()).toEqual(["a"]);
});

it("turns any text into any other", () => {
  const words = ["a", "b", "c", "d"];
  let seed = 7;
  const next = () => (seed = (seed * 16807) % 2147483647);
  for (let round = 0; round < 200; round++) {
    const page = Array.from({ length: next() % 7 }, () => words[next() % words.length] ?? "");
    show(page.join("\n\n"));
    expect(texts()).toEqual(page);
  }
});
