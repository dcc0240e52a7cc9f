import { beforeEach, expect, it, vi } from "vitest";
import { canonicalPath } from "../../api/names";
import { PICTURES_TYPE } from "../../editing/files/picture-transfer";
import { dragPictures } from "./drag-pictures";

const MOSS = { root: "R1", path: canonicalPath("moss.jpg"), name: "moss.jpg" };

let grid: HTMLElement;
let stop: (() => void) | void;

beforeEach(() => {
  document.body.innerHTML = '<div><p data-index="0"><span></span></p><p data-index="1"></p></div>';
  grid = document.body.firstElementChild as HTMLElement;
  stop = dragPictures((index) => (index === 0 ? [MOSS] : []))(grid);
});

/** Returns the data of a drag that starts at an element; null if none starts. */
function drag(from: Element | null, pointerType = "mouse"): unknown {
  from?.dispatchEvent(Object.assign(new Event("pointerdown", { bubbles: true }), { pointerType }));
  const setData = vi.fn();
  const event = Object.assign(new Event("dragstart", { bubbles: true, cancelable: true }), { dataTransfer: { setData } });
  from?.dispatchEvent(event);
  return event.defaultPrevented ? null : setData.mock.calls.find(([type]) => type === PICTURES_TYPE)?.[1];
}

it("shows a picture at the pointer", () => {
  expect(drag(grid.querySelector("span"))).toBe(JSON.stringify([MOSS]));
});

it("only pictures are dragged, and not by touch", () => {
  expect(drag(grid.querySelector('[data-index="1"]'))).toBeNull();
  expect(drag(grid.querySelector("span"), "touch")).toBeNull();
});

it("ends with the grid", () => {
  stop?.();
  expect(drag(grid.querySelector("span"))).toBeUndefined();
});
