import { Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "../testing/ranges";
import { CodeEditor } from "./code-editor";
import { holdStill } from "./hold-still";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("tells by how much more room the notices take, and nothing of what was there at first", () => {
  let tell: (height: number) => void = () => {};
  const disconnect = vi.fn();
  class Observer {
    constructor(callback: ResizeObserverCallback) {
      tell = (blockSize) => callback([{ borderBoxSize: [{ blockSize, inlineSize: 500 }] } as unknown as ResizeObserverEntry], this);
    }
    observe(): void {}
    unobserve(): void {}
    disconnect = disconnect;
  }
  vi.stubGlobal("ResizeObserver", Observer);
  const shift = vi.fn();
  const stop = holdStill(shift)(document.createElement("div"));
  for (const height of [40, 40, 100, 0]) tell(height);
  expect(shift.mock.calls).toEqual([[60], [-100]]);
  if (typeof stop === "function") stop();
  expect(disconnect).toHaveBeenCalledOnce();
});

describe("the text", () => {
  let editor: CodeEditor;
  let scroller: HTMLElement;

  beforeEach(() => {
    const parent = document.body.appendChild(document.createElement("div"));
    const names = {
      pages: () => Promise.resolve([]),
      files: () => Promise.resolve([]),
      fileAddress: (name: string) => name,
      pageAddress: (path: string) => path,
    };
    const tell = { onChange: () => {}, onBlur: () => {}, onScroll: () => {} };
    const words = { label: "", placeholder: "", phrases: {} };
    editor = new CodeEditor({ parent, doc: Text.of(["a"]), words, names, carrier: { files: () => {}, clipboard: null }, ...tell });
    const view = EditorView.findFromDOM(parent);
    if (view === null) throw new Error("no editor");
    scroller = view.scrollDOM;
    scroller.scrollTop = 500;
    vi.spyOn(scroller, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 100, 500, 400));
  });

  afterEach(() => editor.destroy());

  const caretAt = (top: number | null) => {
    const place = top === null ? null : { left: 0, right: 0, top, bottom: top + 20 };
    vi.spyOn(EditorView.prototype, "coordsAtPos").mockReturnValue(place);
  };

  it("is scrolled by as much as it was pushed down, and back", () => {
    caretAt(300);
    editor.shift(60);
    expect(scroller.scrollTop).toBe(560);
    editor.shift(-60);
    expect(scroller.scrollTop).toBe(500);
  });

  it("gives way where the line that one writes in would go behind the notice", () => {
    caretAt(120);
    editor.shift(60);
    expect(scroller.scrollTop).toBe(520);
  });

  it.each([
    ["is out of sight", 20],
    ["is far away", null],
  ])("stays where it is also where that line %s", (_, top) => {
    caretAt(top);
    editor.shift(60);
    expect(scroller.scrollTop).toBe(560);
  });
});
