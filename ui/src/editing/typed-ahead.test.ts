import { beforeEach, expect, it } from "vitest";
import { TypedAhead } from "./typed-ahead";

let typed: TypedAhead;
const press = (key: string, init: KeyboardEventInit = {}) => typed.keep(new KeyboardEvent("keydown", { key, ...init }));

beforeEach(() => {
  typed = new TypedAhead();
});

it("keys work as usual outside the wait", () => {
  expect(press("x")).toBe(false);
  typed.begin();
  expect(press("x")).toBe(true);
  expect(typed.take()).toBe("x");
  expect(press("x")).toBe(false);
  expect(typed.take()).toBe("");
});

it("keeps what a text field would show", () => {
  typed.begin();
  for (const key of ["H", "i", "x", "Backspace", " ", "𠮷", "y", "Backspace", "Enter", "!"]) expect(press(key)).toBe(true);
  typed.begin();
  expect(typed.take()).toBe("Hi 𠮷\n!");
});

it("leaves commands and other keys alone", () => {
  typed.begin();
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) expect(press("k", init)).toBe(false);
  for (const key of ["Escape", "Tab", "F5", "ArrowDown"]) expect(press(key)).toBe(false);
  expect(typed.take()).toBe("");
});

it("ignores the held key that began the wait", () => {
  typed.begin();
  expect(press("e", { repeat: true })).toBe(true);
  press("a");
  press("a", { repeat: true });
  expect(typed.take()).toBe("aa");
});

it("drops the text if no editor opens", () => {
  typed.begin();
  press("x");
  typed.end();
  typed.begin();
  expect(typed.take()).toBe("");
});
