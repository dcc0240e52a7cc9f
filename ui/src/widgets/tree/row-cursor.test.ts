import { beforeEach, expect, it } from "vitest";
import { RowCursor } from "..";

let cursor: RowCursor;

beforeEach(() => {
  cursor = new RowCursor();
});

function list(...names: string[]): HTMLElement {
  const element = document.createElement("ul");
  for (const name of names) {
    const row = document.createElement("li");
    row.dataset["row"] = name;
    row.innerHTML = `<a href="/" data-row-main="">${name}</a><button>other</button>`;
    element.append(row);
  }
  document.body.replaceChildren(element);
  cursor.list(element);
  return element;
}

const focused = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];

it("moves between rows and stops at the ends", () => {
  list("a", "b", "c");
  for (const [by, at] of [[1, "a"], [1, "b"], [1, "c"], [1, "c"], [-1, "b"], [-1, "a"], [-1, "a"]] as const) {
    cursor.move(by);
    expect(focused()).toBe(at);
  }
});

it("takes the row with the focus inside", () => {
  const rows = list("a", "b");
  rows.querySelectorAll("button")[1]?.focus();
  expect(cursor.take()).toBe("b");
});

it("shows the current row before returning to it", () => {
  list("a", "b");
  expect(cursor.take()).toBeNull();
  expect(focused()).toBe("a");
  cursor.move(1);
  (document.activeElement as HTMLElement).blur();
  expect(cursor.take()).toBeNull();
  expect(cursor.take()).toBe("b");
});

it("takes the only row", () => {
  list("a");
  expect(cursor.take()).toBe("a");
});

it("continues at the position of a removed row", () => {
  const rows = list("a", "b", "c");
  cursor.move(1);
  cursor.move(1);
  const place = cursor.placeOf("b");
  rows.children[1]?.remove();
  cursor.focusAt(place);
  expect(focused()).toBe("c");
});

it("does nothing without rows", () => {
  list();
  cursor.move(1);
  expect(cursor.take()).toBeNull();
});
