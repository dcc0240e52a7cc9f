import { beforeEach, describe, expect, it, vi } from "vitest";
import { dom } from "../testing";
import { PictureSpace } from "./picture-space";
import { SizeMemory, type Size } from "./size-memory";

const [A, OTHER] = ["![](asset:/other/a.png)", "![](asset:/other/b.png)"];

let spaces: PictureSpace;

beforeEach(() => {
  document.body.replaceChildren();
  const stored = new Map<string, string>();
  const storage = { getItem: (name: string) => stored.get(name) ?? null, setItem: (name: string, value: string) => void stored.set(name, value) };
  spaces = new PictureSpace(new SizeMemory(() => storage));
});

/** Opens a page and returns its first picture. */
function open(source: string): HTMLImageElement {
  const page = dom(source);
  document.body.replaceChildren(page);
  spaces.make(page);
  const picture = page.querySelector("img");
  if (picture === null) throw new Error("the page has no picture");
  return picture;
}

/** Returns the reserved size of a picture, and the size that its author specified. */
function spaceOf(picture: HTMLImageElement) {
  const { aspectRatio } = picture.style;
  return { width: picture.getAttribute("width"), height: picture.getAttribute("height"), ratio: aspectRatio === "" ? null : aspectRatio };
}
const NONE = { width: null, height: null, ratio: null };

/** Loads and lays out the picture. */
async function load(picture: HTMLImageElement, natural: Size, laidOut: Size = natural): Promise<void> {
  Object.defineProperty(picture, "naturalWidth", { value: natural.width });
  Object.defineProperty(picture, "naturalHeight", { value: natural.height });
  picture.getBoundingClientRect = () => new DOMRect(0, 0, laidOut.width, laidOut.height);
  picture.dispatchEvent(new Event("load"));
  await new Promise(requestAnimationFrame);
}

const of = (width: number, height: number): Size => ({ width, height });

it("an unseen picture has no space", () => {
  expect(spaceOf(open(A))).toEqual(NONE);
});

it("a seen picture has space before it loads", async () => {
  await load(open(A), of(300, 120));
  expect(spaceOf(open(OTHER))).toEqual(NONE);
  const picture = open(A);
  expect(spaceOf(picture)).toEqual({ width: "300", height: null, ratio: "auto 300 / 120" });
  await load(picture, of(300, 120));
  expect(spaceOf(picture)).toEqual(NONE);
  expect(picture.dataset).not.toHaveProperty("room");
});

it("a changed picture's new size is remembered", async () => {
  await load(open(A), of(300, 120));
  const picture = open(A);
  await load(picture, of(50, 500));
  expect(spaceOf(picture)).toEqual(NONE);
  expect(spaceOf(open(A))).toEqual({ width: "50", height: null, ratio: "auto 50 / 500" });
});

it("a scaled picture keeps its scaled size", async () => {
  await load(open(A), of(4000, 3000), of(578, 433.5));
  expect(spaceOf(open(A)).ratio).toBe("auto 4000 / 3000");
});

it("a failed picture has no space next time", async () => {
  await load(open(A), of(300, 120));
  const picture = open(A);
  picture.dispatchEvent(new Event("error"));
  expect(spaceOf(picture)).toEqual(NONE);
  expect(spaceOf(open(A))).toEqual(NONE);
});

it("does not change a loaded picture", async () => {
  await load(open(A), of(300, 120));
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(300);
  expect(spaceOf(open(A))).toEqual(NONE);
});

it("a picture without layout is not measured", async () => {
  await load(open(A), of(300, 120), of(0, 0));
  expect(spaceOf(open(A))).toEqual(NONE);
});

it("repeated requests change nothing", async () => {
  await load(open(A), of(300, 120));
  const picture = open(A);
  spaces.make(document.body);
  spaces.make(document.body);
  expect(spaceOf(picture).width).toBe("300");
  await load(picture, of(300, 120));
  expect(spaceOf(picture)).toEqual(NONE);
});

describe("a size set by the writer", () => {
  const img = (attributes: string) => `<img src="asset:/other/a.png" ${attributes}>`;

  it.each([
    ['width="150"', of(150, 60), { width: "150", height: null, ratio: "auto 150 / 60" }],
    ['width="50%"', of(289, 115.6), { width: "50%", height: null, ratio: "auto 289 / 115.6" }],
    ['height="20"', of(300, 120), { width: "300", height: "20", ratio: "auto 300 / 120" }],
  ])("%s is kept and completed until it loads", async (said, laidOut, room) => {
    await load(open(img(said)), of(300, 120), laidOut);
    const picture = open(img(said));
    expect(spaceOf(picture)).toMatchObject({ width: room.width, height: room.height });
    expect(spaceOf(picture).ratio).not.toBeNull();
    const before = spaceOf(dom(img(said)).querySelector("img") as HTMLImageElement);
    await load(picture, of(300, 120), laidOut);
    expect(spaceOf(picture)).toEqual(before);
  });

  it("in both dimensions is enough, like the server's", async () => {
    const html = img('width="10" height="20"');
    await load(open(html), of(300, 120), of(10, 4));
    expect(spaceOf(open(html))).toEqual({ width: "10", height: "20", ratio: null });
  });

  it("is ignored unless it was set", async () => {
    await load(open(img('width="150"')), of(100, 40), of(150, 60));
    expect(spaceOf(open(A))).toEqual(NONE);
  });
});

describe("a drawing without a size of its own", () => {
  const drawing = "![](asset:drawing.svg)";

  // Engines report different natural sizes, all of them wrong.
  it.each([of(300, 150), of(0, 0), of(100, 40)])("has its measured space, whatever it declares: %j", async (natural) => {
    await load(open(drawing), natural, of(578, 231.19));
    const picture = open(drawing);
    expect(spaceOf(picture)).toEqual({ width: "578", height: null, ratio: "auto 578 / 231.19" });
    await load(picture, natural, of(578, 231.19));
    expect(spaceOf(picture)).toEqual(NONE);
  });

  it("and without proportions does not count as scaled", async () => {
    await load(open(drawing), of(300, 150), of(250, 150));
    expect(spaceOf(open(drawing)).ratio).toBe("auto 250 / 150");
  });

  it("has its own space in a table", async () => {
    await load(open(drawing), of(300, 120), of(578, 231));
    const inTable = `| a |\n|---|\n| ${drawing} |`;
    expect(spaceOf(open(inTable))).toEqual(NONE);
    await load(open(inTable), of(300, 120));
    expect([spaceOf(open(inTable)).width, spaceOf(open(drawing)).width]).toEqual(["300", "578"]);
  });

  it("is measured again after space without a height", async () => {
    await load(open(drawing), of(150, 150));
    const picture = open(drawing);
    const loaded = new Set<string>();
    const loading = load(picture, of(150, 150));
    picture.getBoundingClientRect = () => {
      loaded.add(picture.style.display);
      return new DOMRect(0, 0, 150, loaded.has("inline") ? 150 : 0);
    };
    await loading;
    expect(loaded).toEqual(new Set(["", "inline"]));
    expect(picture.style.display).toBe("");
    expect(spaceOf(open(drawing)).ratio).toBe("auto 150 / 150");
  });
});
