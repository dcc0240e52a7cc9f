import { beforeEach, expect, it, vi } from "vitest";
import { canonicalPath } from "../../api/names";
import { PICTURES_TYPE } from "../../editing/files/picture-transfer";
import { dragPictures } from "./drag-pictures";

const MOSS = { root: "R1", path: canonicalPath("moss.jpg"), name: "moss.jpg" };
const FILM = { root: "R1", path: canonicalPath("film.mp4") };

const ondrag = vi.fn();
let grid: HTMLElement;
let stop: (() => void) | void;

beforeEach(() => {
  ondrag.mockClear();
  document.body.innerHTML = '<div><p data-index="0"><span></span></p><p data-index="1"></p></div>';
  grid = document.body.firstElementChild as HTMLElement;
  const dragged = { pictures: [MOSS], files: [MOSS, FILM], url: "/api/image?path=moss.jpg", name: "moss.jpg" };
  stop = dragPictures((index) => (index === 0 ? dragged : null), ondrag)(grid);
});

/** Returns the data of a drag that starts at an element; null if none starts. */
function drag(from: Element | null, type = PICTURES_TYPE, pointerType = "mouse"): unknown {
  from?.dispatchEvent(Object.assign(new Event("pointerdown", { bubbles: true }), { pointerType }));
  const setData = vi.fn();
  const event = Object.assign(new Event("dragstart", { bubbles: true, cancelable: true }), { dataTransfer: { setData } });
  from?.dispatchEvent(event);
  return event.defaultPrevented ? null : setData.mock.calls.find(([one]) => one === type)?.[1];
}

it("shows a picture at the pointer", () => {
  expect(drag(grid.querySelector("span"))).toBe(JSON.stringify([MOSS]));
});

it("offers other programs a link and all files", () => {
  const link = `${location.origin}/api/image?path=moss.jpg`;
  expect(drag(grid.querySelector("span"), "text/uri-list")).toBe(link);
  expect(ondrag).toHaveBeenCalledWith(link, [MOSS, FILM]);
  expect(drag(grid.querySelector("span"), "DownloadURL")).toBe(`application/octet-stream:moss.jpg:${link}`);
});

it("only pictures are dragged, and not by touch", () => {
  expect(drag(grid.querySelector('[data-index="1"]'))).toBeNull();
  expect(drag(grid.querySelector("span"), PICTURES_TYPE, "touch")).toBeNull();
  expect(ondrag).not.toHaveBeenCalled();
});

it("ends with the grid", () => {
  stop?.();
  expect(drag(grid.querySelector("span"))).toBeUndefined();
});
