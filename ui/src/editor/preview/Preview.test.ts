import { Text } from "@codemirror/state";
import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { t } from "../../i18n";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import Preview from "./Preview.svelte";

const HEIGHT = 100;

let server: FakeServer;
/** The heights of taller blocks, by their text. */
let heights: Map<string, number>;
let resized: (() => void)[];

const blocks = () => [...document.querySelectorAll<HTMLElement>(".block")];
const heightOf = (block: HTMLElement) => heights.get(block.textContent.trim()) ?? HEIGHT;

/** Fakes a layout, which jsdom lacks: blocks below each other, in a panel of 800. */
function layOut(): void {
  const sum = (all: HTMLElement[]) => all.reduce((height, block) => height + heightOf(block), 0);
  const getters = {
    offsetHeight: vi.spyOn(HTMLElement.prototype, "offsetHeight", "get"),
    offsetTop: vi.spyOn(HTMLElement.prototype, "offsetTop", "get"),
    scrollHeight: vi.spyOn(Element.prototype, "scrollHeight", "get"),
  };
  getters.offsetHeight.mockImplementation(function (this: HTMLElement) {
    return heightOf(this);
  });
  getters.offsetTop.mockImplementation(function (this: HTMLElement) {
    const all = blocks();
    return sum(all.slice(0, all.indexOf(this)));
  });
  getters.scrollHeight.mockImplementation(() => sum(blocks()) + 400);
}

beforeEach(() => {
  server = new FakeServer();
  heights = new Map();
  resized = [];
  layOut();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const docOf = (paragraphs: string[]) => Text.of(paragraphs.join("\n\n").split("\n"));
const PARAGRAPHS = Array.from({ length: 30 }, (_, index) => `paragraph ${index}`);

function open(paragraphs: string[], topLine: number) {
  const props = { path: "/p", backend: server.backend, host: new StubHost(), onresize: () => false };
  return render(Preview, { ...props, doc: docOf(paragraphs), topLine });
}

const scroller = () => screen.getByTestId("editor-preview");

/** The block at the upper edge, and its distance above it. */
function place(): [string | undefined, number] {
  const { scrollTop } = scroller();
  const top = blocks().findLast((block) => block.offsetTop <= scrollTop);
  return [top?.textContent.trim(), scrollTop - (top?.offsetTop ?? 0)];
}

describe("the preview stays at the edited place", () => {
  it("when a picture loads above it", () => {
    open(PARAGRAPHS, 20.5);
    expect(place()).toEqual(["paragraph 10", HEIGHT / 2]);
    heights.set("paragraph 3", 700);
    for (const callback of resized) callback();
    expect(place()).toEqual(["paragraph 10", HEIGHT / 2]);
    expect(scroller().scrollTop).toBe(10.5 * HEIGHT + 600);
  });

  it("when a block above it grows on rendering", async () => {
    const { rerender } = open(PARAGRAPHS, 20);
    heights.set("a long one", 500);
    await rerender({ doc: docOf(PARAGRAPHS.with(2, "a long one")) });
    await vi.waitFor(() => expect(scroller().textContent).toContain("a long one"));
    expect(place()).toEqual(["paragraph 10", 0]);
    expect(scroller().scrollTop).toBe(10 * HEIGHT + 400);
  });

  it("when text is inserted before it", async () => {
    const { rerender } = open(PARAGRAPHS, 20);
    const block = blocks()[10];
    await rerender({ doc: docOf(["new", "newer", ...PARAGRAPHS]), topLine: 24 });
    await vi.waitFor(() => expect(scroller().textContent).toContain("newer"));
    expect(place()).toEqual(["paragraph 10", 0]);
    expect(blocks()[12]).toBe(block);
  });

  it("and scrolls as far as possible", async () => {
    const { rerender } = open(PARAGRAPHS, 0);
    expect(place()).toEqual(["paragraph 0", 0]);
    await rerender({ topLine: 6 });
    expect(place()).toEqual(["paragraph 3", 0]);
    await rerender({ topLine: 58 });
    expect(scroller().scrollTop).toBe(30 * HEIGHT + 400 - 800);
  });
});

it("links follow their pages; nothing moves", async () => {
  const target = server.add("/there", "text");
  open([...PARAGRAPHS.slice(0, 10), "[[/there]] [[/later]]", ...PARAGRAPHS.slice(10)], 20);
  const links = () => [...scroller().querySelectorAll("a")].map((link) => [link.textContent, link.className, link.getAttribute("href")]);
  const red = (name: string) => [name, "none", `/edit/${name}`];
  const blue = (name: string) => [name, "", `/wiki/${name}`];
  await vi.waitFor(() => expect(links()).toEqual([blue("there"), red("later")]));
  const before = [...scroller().querySelectorAll("*")];
  const at = scroller().scrollTop;

  server.pages.splice(0);
  server.emit("page.changed", { page_id: target.id, path: "/there", revision: 1, kind: "deleted" });
  const later = server.add("/later", "text");
  server.emit("page.changed", { page_id: later.id, path: "/later", revision: 1, kind: "created" });
  await vi.waitFor(() => expect(links()).toEqual([red("there"), blue("later")]));
  expect([...scroller().querySelectorAll("*")]).toEqual(before);
  expect(scroller().scrollTop).toBe(at);
});

it("a redrawn block reserves its picture's space", async () => {
  const { rerender } = open(["![](asset:/other/a.png)"], 0);
  const picture = () => scroller().querySelector("img");
  const first = picture();
  if (first === null) throw new Error("there is no picture");
  first.getBoundingClientRect = () => new DOMRect(0, 0, 30, 20);
  first.dispatchEvent(new Event("load"));
  await new Promise(requestAnimationFrame);
  await rerender({ doc: docOf(["![](asset:/other/a.png) and a word"]) });
  await vi.waitFor(() => expect(picture()).not.toBe(first));
  expect(picture()?.getAttribute("width")).toBe("30");
});

it("shows no front matter, as reading does", async () => {
  const { rerender } = open(["---\ntags: a\n---", "paragraph"], 0);
  expect([scroller().textContent.trim(), blocks().length]).toEqual(["paragraph", 1]);
  await rerender({ doc: docOf(["---\ntags: a\n---"]) });
  await vi.waitFor(() => expect(scroller().textContent.trim()).toBe(t("editor.preview_empty")));
});
