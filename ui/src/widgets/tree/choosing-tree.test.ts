import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { TreeItem } from "./tree";
import Tree from "./Tree.svelte";

const row = (id: string, expanded: boolean | null = null): TreeItem => ({ id, label: id, level: 1, expanded, position: 1, siblings: 3 });

function open(onchoose?: (id: string) => void) {
  const ontoggle = vi.fn();
  render(Tree, { label: "Folders", rows: [row("a", false), row("b"), row("c", true)], current: "b", ontoggle, ...(onchoose && { onchoose }) });
  const [a, b, c] = screen.getAllByTestId("tree-item") as [HTMLElement, HTMLElement, HTMLElement];
  return { ontoggle, a, b, c };
}

it("focusing a row by keys chooses it", async () => {
  const onchoose = vi.fn();
  const { ontoggle, b } = open(onchoose);
  b.focus();
  await userEvent.keyboard("{ArrowDown}{Home}c");
  expect(onchoose.mock.calls).toEqual([["c"], ["a"], ["c"]]);
  expect(ontoggle).not.toHaveBeenCalled();
});

it("a press chooses; the twisty opens and closes", async () => {
  const onchoose = vi.fn();
  const { ontoggle, a } = open(onchoose);
  await fireEvent.click(a);
  expect([onchoose.mock.calls, ontoggle.mock.calls]).toEqual([[["a"]], []]);
  await fireEvent.click(a.querySelector("[data-twisty]") as Element);
  expect([onchoose.mock.calls, ontoggle.mock.calls]).toEqual([[["a"]], [["a"]]]);
});

it("Enter calls the handler; Space and arrows toggle", async () => {
  const onchoose = vi.fn();
  const { ontoggle, a } = open(onchoose);
  a.focus();
  await userEvent.keyboard("{Home}");
  const pressed = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  const outside = vi.fn();
  document.addEventListener("keydown", outside, { once: true });
  a.dispatchEvent(pressed);
  expect([pressed.defaultPrevented, outside.mock.calls.length, ontoggle.mock.calls.length]).toEqual([false, 1, 0]);
  await userEvent.keyboard(" {ArrowRight}");
  expect(ontoggle.mock.calls).toEqual([["a"], ["a"]]);
});

it("the current page can't be chosen", () => {
  const { b } = open(vi.fn());
  expect([b.getAttribute("aria-selected"), b.getAttribute("aria-current")]).toEqual(["true", null]);
});

it("Enter toggles without a handler", async () => {
  const { ontoggle, a } = open();
  a.focus();
  await userEvent.keyboard("{Home}{Enter}");
  expect(ontoggle.mock.calls).toEqual([["a"]]);
});
