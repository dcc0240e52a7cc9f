import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../../testing/fake-backend";
import { dom } from "../../testing";
import { SizeMemory } from "../size-memory";

const mermaid = { initialize: vi.fn(), render: vi.fn(), parse: (svg: string) => new DOMParser().parseFromString(svg, "text/html").querySelector("svg") };
const WORDS = { diagram: "Diagram", diagramFailed: (reason: string) => `No diagram: ${reason}`, diagramTooLarge: () => "Too large", mathFailed: () => "" };
const SOURCE = "```mermaid\ngraph TD; a-->b\n```";

/** The contents of the browser's storage. */
let stored: Map<string, string>;
let font: string;
/** The pictures that were created. */
let pictures: Blob[];

beforeEach(() => {
  vi.resetModules();
  vi.doMock("./diagram-stage", () => ({ openStage: () => Promise.resolve(mermaid) }));
  vi.doUnmock("./diagrams");
  vi.useRealTimers();
  document.body.replaceChildren();
  // jsdom does not inherit custom properties.
  font = "Sans";
  const { getPropertyValue } = CSSStyleDeclaration.prototype;
  vi.spyOn(CSSStyleDeclaration.prototype, "getPropertyValue").mockImplementation(function (this: CSSStyleDeclaration, name) {
    return name === "--font-ui" ? font : getPropertyValue.call(this, name);
  });
  stored = new Map();
  pictures = [];
  URL.createObjectURL = (blob: Blob) => `blob:${pictures.push(blob)}`;
  URL.revokeObjectURL = () => {};
  draws(120.5, 60);
});

const draws = (width: number, height: number) =>
  mermaid.render.mockReset().mockResolvedValue({ svg: `<svg viewBox="0 0 ${width} ${height}" style="max-width: 1px"></svg>` });

/** Opens a page as the first one after a start, before any diagram is drawn. */
async function open(source = SOURCE, remembers = true) {
  const { LiveRenderer } = await import("../live-renderer");
  // Sizes that an earlier test has not stored yet go to that test's storage.
  const mine = stored;
  const storage = { getItem: (name: string) => mine.get(name) ?? null, setItem: (name: string, value: string) => void mine.set(name, value) };
  const page = dom(source);
  document.body.replaceChildren(page);
  const liveRenderer = new LiveRenderer(() => WORDS, new AbortController().signal, new FakeBackend(), remembers ? new SizeMemory(() => storage) : null);
  liveRenderer.reserveSpace(page);
  return { page, activate: () => liveRenderer.activate(page) };
}

/** Opens and draws a page, until its sizes are stored. */
async function read(source?: string): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await (await open(source)).activate();
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  vi.resetModules();
}

const roomIn = (page: HTMLElement) => page.querySelector<HTMLElement>(".diagram > .diagram-room");
const isSourceShown = (page: HTMLElement) => page.querySelector(".diagram > pre")?.classList.contains("visually-hidden") === false;

it("shows an unseen diagram's source until rendered", async () => {
  const { page } = await open();
  expect(roomIn(page)).toBeNull();
  expect(isSourceShown(page)).toBe(true);
});

it("shows a hostile diagram as its source", async () => {
  const { page, activate } = await open("```mermaid\npacket-beta\n0-400000000: \"x\"\n```");
  await activate();
  expect(mermaid.render).not.toHaveBeenCalled();
  expect(isSourceShown(page)).toBe(true);
  expect(page.querySelector(".diagram-failed")?.textContent).toBe("Too large");
});

it("a slow diagram is shown as its source", async () => {
  mermaid.render.mockResolvedValue({ isTooLong: true });
  const { page, activate } = await open();
  await activate();
  expect(isSourceShown(page)).toBe(true);
  expect(page.querySelector(".diagram-failed")?.textContent).toBe("Too large");
});

it("reserves the exact space of a seen diagram", async () => {
  await read();
  const { page, activate } = await open();
  const { width = "", minWidth = "", aspectRatio = "" } = roomIn(page)?.style ?? {};
  expect([width, minWidth, aspectRatio]).toEqual(["121px", "91px", "121 / 60"]);
  expect(isSourceShown(page)).toBe(false);
  await activate();
  const picture = page.querySelector<HTMLImageElement>(".diagram > img");
  expect([picture?.width, picture?.height, picture?.style.minWidth]).toEqual([121, 60, "91px"]);
  expect(roomIn(page)).toBeNull();
});

it("reserves whole pixels of the drawing's size", async () => {
  await read();
  const { documentElement: root } = new DOMParser().parseFromString((await pictures[0]?.text()) ?? "", "image/svg+xml");
  expect(["width", "height", "viewBox"].map((name) => root.getAttribute(name))).toEqual(["121", "60", "0 0 120.5 60"]);
});

it("remembers the new size of a changed diagram", async () => {
  await read();
  draws(50, 500);
  const { page, activate } = await open();
  expect(roomIn(page)?.style.width).toBe("121px");
  await activate();
  expect(page.querySelector("img")?.height).toBe(500);
  await read();
  expect(roomIn((await open()).page)?.style.width).toBe("50px");
});

it("shows a failed diagram's source, also next time", async () => {
  await read();
  mermaid.render.mockReset().mockResolvedValue({ failure: "line 2" });
  const { page, activate } = await open();
  await activate();
  expect(page.querySelector(".diagram-failed")?.textContent).toBe("No diagram: line 2");
  expect([isSourceShown(page), roomIn(page)]).toEqual([true, null]);
  await read();
  expect(roomIn((await open()).page)).toBeNull();
});

it("shows the source again without a renderer", async () => {
  await read();
  vi.doMock("./diagrams", () => Promise.reject(new Error("no answer")));
  const { page, activate } = await open();
  expect(isSourceShown(page)).toBe(false);
  await expect(activate()).rejects.toThrow();
  expect([isSourceShown(page), roomIn(page)]).toEqual([true, null]);
});

it("does not remember diagrams that are being typed", async () => {
  const { page, activate } = await open(SOURCE, false);
  await activate();
  expect(page.querySelector("img")).not.toBeNull();
  await read("no diagram");
  expect(roomIn((await open()).page)).toBeNull();
});

describe("the size of a drawing depends", () => {
  it("is its source", async () => {
    await read();
    expect(roomIn((await open(SOURCE.replace("b", "c"))).page)).toBeNull();
  });

  it("is the font, and not the colours", async () => {
    await read();
    document.documentElement.dataset["theme"] = "dark";
    expect(roomIn((await open()).page)).not.toBeNull();
    delete document.documentElement.dataset["theme"];
    font = "Serif";
    expect(roomIn((await open()).page)).toBeNull();
  });

  it("on the window only if full-width", async () => {
    const plan = "```mermaid\n---\ntitle: Plan\n---\ngantt\n  title A\n```";
    await read(plan);
    await read();
    vi.stubGlobal("innerWidth", innerWidth - 100);
    const rooms = [roomIn((await open(plan)).page), roomIn((await open()).page)];
    vi.unstubAllGlobals();
    expect(rooms.map((room) => room !== null)).toEqual([false, true]);
    expect(roomIn((await open(plan)).page)).not.toBeNull();
  });
});
