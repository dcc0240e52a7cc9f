import { expect, it } from "vitest";
import { positionsOf } from "./block-positions";

it("blocks have the positions of their elements", () => {
  const blocks = [
    { html: "<p>one</p>", line: 0, end: 1 },
    { html: "<!-- nothing -->", line: 2, end: 3 },
    { html: "<h2>two</h2><p>more</p>", line: 4, end: 6 },
    { html: "<ul><li>three</li></ul>", line: 7, end: 9 },
  ];
  const scroller = document.createElement("div");
  const body = document.createElement("div");
  scroller.append(body);
  body.innerHTML = blocks.map(({ html }) => html).join("\n");
  [...body.children].forEach((element, index) => {
    element.getBoundingClientRect = () => new DOMRect(0, 100 * index - 30, 10, 80);
  });
  scroller.scrollTop = 30;
  const places = positionsOf(scroller, [{ element: body, blocks }]);
  expect(places.map(({ line, top, height }) => [line, top, height])).toEqual([
    [0, 0, 80],
    [4, 100, 180],
    [7, 300, 80],
  ]);
});
