import { expect, it } from "vitest";
import { renderPage } from "./rendering/page-renderer";
import { setTask } from "./task-boxes";
import { dom, WORDS } from "./testing";

const tasksOf = (source: string) => renderPage(source, "/p", WORDS).tasks;

it.each([
  ["- [ ] a", 0, "- [x] a"],
  ["- [ ] a [ ] b", 0, "- [x] a [ ] b"],
  ["> 1. - [ ] a", 0, "> 1. - [x] a"],
  ["-\n  [ ] a", 1, "-\n  [x] a"],
  ["a\r\n\r\n* [ ]　庭", 2, "a\r\n\r\n* [x]　庭"],
  ["a\r- [ ] b", 1, "a\r- [x] b"],
  ["[^1]: - [ ] a\n\nb[^1]", 0, "[^1]: - [x] a\n\nb[^1]"],
])("%j: only the mark of line %i changes", (source, line, expected) => {
  expect(tasksOf(source)).toEqual([line]);
  expect(setTask(source, line, true)).toBe(expected);
  expect(setTask(expected, line, false)).toBe(source);
});

it("accepts and clears a capital X as done", () => {
  expect(setTask("- [X] a", 0, false)).toBe("- [ ] a");
  expect(setTask("- [X] a", 0, true)).toBeNull();
});

it.each([
  ["a\n- b", 1],
  ["`- [ ] a`", 0],
  ["- [ ] a", 1],
  ["text - [ ] a", 0],
])("%j has no task in line %i", (source, line) => {
  expect(setTask(source, line, true)).toBeNull();
});

it("every box has its task, despite similar code", () => {
  const source = "- [ ] a\n\n```\n- [ ] b\n```\n\n- [x] c\n  - [ ] d";
  expect(tasksOf(source)).toEqual([0, 6, 7]);
  const boxes = [...dom(source).querySelectorAll<HTMLElement>(".task-box")];
  expect(boxes.map((box) => Number.parseInt(box.dataset["task"] ?? "", 10))).toEqual([0, 1, 2]);
});

it("raw HTML can't pass for a task", () => {
  const page = dom('<span class="task-box" role="checkbox" data-task="0.x">a</span>\n\n- [ ] b');
  expect(page.querySelectorAll("[data-task]")).toHaveLength(1);
});
