import { beforeEach, expect, it, vi } from "vitest";
import { StubHost } from "../../testing/stub-host";
import { HeadingFolds } from "./heading-folds";

const HTML = '<p>0</p><h2 id="a">A</h2><p>1</p><h3 id="b">B</h3><p>2</p><h2 id="c">C</h2><p>3</p>';
let body: HTMLElement;
let folds: HeadingFolds;
const onchange = vi.fn();

beforeEach(() => {
  onchange.mockReset();
  body = document.createElement("div");
  body.innerHTML = HTML;
  document.body.append(body);
  folds = new HeadingFolds(new StubHost().t, onchange);
  folds.drawn(body);
  return () => body.remove();
});

const visible = () => [...body.children].filter((each) => !each.hasAttribute("data-folded-away")).map(({ textContent }) => textContent);
const button = (id: string) => body.querySelector<HTMLButtonElement>(`#${id} > .fold`);

it("folds a section with its subsections", () => {
  button("a")?.click();
  expect(visible()).toEqual(["0", "A", "C", "3"]);
  expect(button("a")?.getAttribute("aria-expanded")).toBe("false");
  button("a")?.click();
  expect(visible()).toEqual(["0", "A", "1", "B", "2", "C", "3"]);
  expect(onchange).toHaveBeenCalledTimes(2);
});

it("stays folded when the page is drawn again", () => {
  button("b")?.click();
  body.innerHTML = HTML;
  folds.drawn(body);
  expect(visible()).toEqual(["0", "A", "1", "B", "C", "3"]);
  expect(body.querySelectorAll(".fold")).toHaveLength(3);
});

it("folds and unfolds all sections", () => {
  folds.toggleAll();
  expect(visible()).toEqual(["0", "A", "C"]);
  folds.toggleAll();
  expect(visible()).toHaveLength(7);
});

it("unfolds only the sections around a target", () => {
  folds.toggleAll();
  body.children[4]?.dispatchEvent(new Event("reveal", { bubbles: true }));
  expect(visible()).toEqual(["0", "A", "1", "B", "2", "C"]);
});
