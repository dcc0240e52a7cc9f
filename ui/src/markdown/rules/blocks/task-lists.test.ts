import { expect, it } from "vitest";
import { dom } from "../../testing";

it("shows boxes with their state and name", () => {
  const boxes = [...dom("- [x] 三脚\n- [ ] **電池** 2 本\n- 普通\n- [ ] call due:2026-12-01").querySelectorAll("li.task > .task-box")];
  expect(boxes.map((box) => [box.getAttribute("aria-checked"), box.getAttribute("aria-label")])).toEqual([
    ["true", "三脚"],
    ["false", "電池 2 本"],
    ["false", "call due:2026-12-01"],
  ]);
});

it("works in loose and ordered lists", () => {
  expect(dom("1. [X] a\n\n2. [ ] b").querySelectorAll(".task-box")).toHaveLength(2);
});

it.each(["- [x]a", "- [y] a", "- \\[x] a", "[x] a", "- `[x] a`"])("%s is no task", (source) => {
  expect(dom(source).querySelector(".task-box")).toBeNull();
});
