import { describe, expect, it } from "vitest";
import { isComposing, keyCaps, matchesChord, parseChord } from ".";

const press = (key: string, init: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...init });

describe("a combination", () => {
  it.each<[string, KeyboardEvent, boolean]>([
    ["Mod+k", press("k", { ctrlKey: true }), true],
    ["Mod+k", press("K", { ctrlKey: true, shiftKey: true }), false],
    ["Mod+k", press("k"), false],
    ["Mod+k", press("k", { metaKey: true }), false],
    ["e", press("e"), true],
    ["e", press("e", { altKey: true }), false],
    ["e", press("e", { ctrlKey: true }), false],
    ["Mod+Alt+a", press("a", { ctrlKey: true, altKey: true }), true],
    ["Mod+Alt+a", press("ą", { ctrlKey: true, altKey: true, modifierAltGraph: true, code: "KeyA" }), false],
    ["e", press("€", { modifierAltGraph: true, code: "KeyE" }), false],
    ["e", press("e", { modifierAltGraph: true, code: "KeyE" }), false],
    ["Mod+Alt+,", press(",", { ctrlKey: true, altKey: true, modifierAltGraph: true }), false],
    ["?", press("?", { shiftKey: true }), true],
    ["?", press("?"), true],
    ["<", press("<", { shiftKey: true }), true],
    ["<", press("<"), true],
    [">", press(".", { shiftKey: true }), false],
    ["Mod+Shift+Tab", press("Unidentified", { ctrlKey: true, shiftKey: true, code: "Tab" }), true],
    ["Mod+Tab", press("Unidentified", { ctrlKey: true, shiftKey: true, code: "Tab" }), false],
    ["Mod++", press("+", { ctrlKey: true, shiftKey: true }), true],
    ["Mod++", press("+"), false],
    ["+", press("+", { ctrlKey: true }), false],
    ["Escape", press("Escape"), true],
    ["Escape", press("Escape", { shiftKey: true }), false],
    ["Mod+Shift+b", press("B", { ctrlKey: true, shiftKey: true }), true],
    ["e", press("い", { code: "KeyE" }), true],
    ["e", press("у", { code: "KeyE" }), true],
    ["e", press("f", { code: "KeyE" }), false],
  ])("%s differs from other keys", (chord, event, expected) => {
    expect(matchesChord(parseChord(chord), event, false)).toBe(expected);
  });

  it("Option on a Mac never counts as AltGr", () => {
    const event = press("1", { altKey: true, modifierAltGraph: true });
    expect(matchesChord(parseChord("Alt+1"), event, true)).toBe(true);
    expect(matchesChord(parseChord("Alt+1"), event, false)).toBe(false);
  });

  it("is Command on a Mac", () => {
    expect(matchesChord(parseChord("Mod+k"), press("k", { metaKey: true }), true)).toBe(true);
    expect(matchesChord(parseChord("Mod+k"), press("k", { ctrlKey: true }), true)).toBe(false);
    expect(keyCaps("Mod+Shift+b", true)).toEqual(["⌘", "⇧", "B"]);
  });

  it("is shown as key caps", () => {
    expect(keyCaps("Mod+k", false)).toEqual(["Ctrl", "K"]);
    expect(keyCaps("ArrowRight", false)).toEqual(["→"]);
    expect(keyCaps("+", false)).toEqual(["+"]);
    expect(keyCaps("Mod++", false)).toEqual(["Ctrl", "+"]);
  });
});

it("detects an input method by either sign", () => {
  expect(isComposing(press("Enter", { isComposing: true }))).toBe(true);
  expect(isComposing(press("Process", { keyCode: 229 }))).toBe(true);
  expect(isComposing(press("Enter", { keyCode: 13 }))).toBe(false);
});
