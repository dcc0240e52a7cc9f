// The times at which a tooltip appears and disappears.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tooltip } from ".";

let list: HTMLElement;
let rows: HTMLElement[];

beforeEach(() => {
  vi.useFakeTimers();
  list = document.createElement("ul");
  rows = ["a", "b"].map((name) => {
    const row = document.createElement("li");
    row.tabIndex = 0;
    tooltip(() => ({ text: name }))(row);
    return row;
  });
  list.append(...rows);
  document.body.replaceChildren(list);
});

afterEach(() => {
  for (const row of rows) dispatch(row, "pointerleave", 0, 0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const dispatch = (at: HTMLElement | undefined, type: string, clientX: number, clientY: number) =>
  at?.dispatchEvent(new PointerEvent(type, { clientX, clientY, bubbles: type === "pointermove" }));
const tooltipText = () => document.querySelector(".tooltip")?.textContent;

/** Enters an element, in the order of the engines' events. */
function enter(to: HTMLElement | undefined, x: number, y: number) {
  dispatch(to, "pointerenter", x, y);
  dispatch(to, "pointermove", x, y);
}

/** Moves another row below a resting pointer. */
function scroll(from: HTMLElement | undefined, to: HTMLElement | undefined, x: number, y: number) {
  list.dispatchEvent(new Event("scroll"));
  dispatch(from, "pointerleave", x, y);
  enter(to, x, y);
}

it("appears after a short hover", () => {
  enter(rows[0], 10, 10);
  expect(tooltipText()).toBeUndefined();
  vi.runAllTimers();
  expect(tooltipText()).toBe("a");
});

it("hides on scrolling, ignoring rows that move underneath", () => {
  enter(rows[0], 20, 20);
  vi.runAllTimers();
  list.dispatchEvent(new Event("scroll"));
  expect(tooltipText()).toBeUndefined();
  scroll(rows[0], rows[1], 20, 20);
  vi.runAllTimers();
  expect(tooltipText()).toBeUndefined();
  dispatch(rows[1], "pointermove", 21, 20);
  vi.runAllTimers();
  expect(tooltipText()).toBe("b");
});

it("does not appear after scrolling during its delay", () => {
  enter(rows[0], 30, 30);
  list.dispatchEvent(new Event("scroll"));
  vi.runAllTimers();
  expect(tooltipText()).toBeUndefined();
  dispatch(rows[0], "pointermove", 30, 31);
  vi.runAllTimers();
  expect(tooltipText()).toBe("a");
});

it("stays when something else is scrolled", () => {
  enter(rows[0], 40, 40);
  vi.runAllTimers();
  const other = document.body.appendChild(document.createElement("div"));
  other.dispatchEvent(new Event("scroll"));
  expect(tooltipText()).toBe("a");
});

it("follows the focused element during scrolling", () => {
  const { matches } = Element.prototype;
  // The tests' document has no `:focus-visible`.
  vi.spyOn(Element.prototype, "matches").mockImplementation(function (this: Element, selector: string) {
    return matches.call(this, selector.replace(":focus-visible", ":focus"));
  });
  rows[1]?.focus();
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(100, 50, 20, 20));
  list.dispatchEvent(new Event("scroll"));
  expect([tooltipText(), document.querySelector<HTMLElement>(".tooltip")?.style.top]).toEqual(["b", "76px"]);
  rows[1]?.blur();
});
