import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Shortcuts } from "./shortcuts.svelte";

let shortcuts: Shortcuts;
const onError = vi.fn();

beforeEach(() => {
  shortcuts = new Shortcuts(onError);
  window.addEventListener("keydown", shortcuts.handle);
});
afterEach(() => {
  window.removeEventListener("keydown", shortcuts.handle);
  document.body.innerHTML = "";
});

function press(key: string, init: KeyboardEventInit = {}, target: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}

function register(key: string, scope: "everywhere" | "view" = "everywhere", whileTyping?: boolean) {
  const run = vi.fn();
  const remove = shortcuts.register({ id: key, label: key, key, run, ...(whileTyping === undefined ? {} : { whileTyping }) }, scope);
  return { run, remove };
}

function field(): HTMLInputElement {
  const input = document.createElement("input");
  document.body.append(input);
  return input;
}

describe("the registry of keys", () => {
  it("runs a named shortcut, now or once registered", async () => {
    const first = register("a");
    shortcuts.runNamed("a");
    expect(first.run).toHaveBeenCalledOnce();
    shortcuts.runNamed("b");
    register("c");
    const second = register("b");
    await Promise.resolve();
    expect(second.run).toHaveBeenCalledOnce();
    second.remove();
    const third = register("b");
    await Promise.resolve();
    expect(third.run).not.toHaveBeenCalled();
  });

  it("runs registered keys, and suppresses the browser's", () => {
    const { run } = register("Mod+k");
    expect(press("k", { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it("lets the view answer before the frame", () => {
    const early = register("e");
    const view = register("e", "view");
    const late = register("e");
    press("e");
    expect(view.run).toHaveBeenCalledOnce();
    expect(late.run).not.toHaveBeenCalled();
    view.remove();
    press("e");
    expect(late.run).toHaveBeenCalledOnce();
    late.remove();
    press("e");
    expect(early.run).toHaveBeenCalledOnce();
  });

  it("ignores single keys even in a read-only editor", () => {
    const { run } = register("e");
    const text = document.createElement("div");
    text.className = "cm-content";
    text.innerHTML = "<p>line</p>";
    document.body.append(text);
    press("e", {}, text.firstElementChild ?? text);
    expect(run).not.toHaveBeenCalled();
  });

  it("ignores single keys during typing, except with Ctrl", () => {
    const single = register("e");
    const withMod = register("Mod+s");
    const withAlt = register("Alt+1");
    const input = field();
    expect(press("e", {}, input).defaultPrevented).toBe(false);
    press("s", { ctrlKey: true }, input);
    press("1", { altKey: true }, input);
    expect(single.run).not.toHaveBeenCalled();
    expect(withMod.run).toHaveBeenCalledOnce();
    expect(withAlt.run).toHaveBeenCalledOnce();
  });

  it("answers single keys on buttons, checkboxes and sliders", () => {
    const { run } = register("e");
    const box = field();
    box.type = "checkbox";
    press("e", {}, box);
    box.type = "range";
    press("e", {}, box);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("answers a held key once, suppressing the browser's", () => {
    const { run } = register("Mod+s");
    expect(press("s", { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(press("s", { ctrlKey: true, repeat: true }).defaultPrevented).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it("lets a held Enter only add lines", () => {
    const [button, text] = [document.createElement("button"), document.createElement("textarea")];
    document.body.append(button, text);
    expect(press("Enter", {}, button).defaultPrevented).toBe(false);
    expect(press("Enter", { repeat: true }, button).defaultPrevented).toBe(true);
    expect(press("Enter", { repeat: true }, text).defaultPrevented).toBe(false);
  });

  it("keeps an element's key to that element", () => {
    const [text, elsewhere] = [field(), field()];
    const { run: toggle } = register("Mod+b");
    const bold = vi.fn();
    shortcuts.register({ id: "bold", label: "bold", key: "Mod+b", within: () => text, run: bold }, "view");
    press("b", { ctrlKey: true }, elsewhere);
    expect([bold.mock.calls.length, toggle.mock.calls.length]).toEqual([0, 1]);
    press("b", { ctrlKey: true }, text);
    expect([bold.mock.calls.length, toggle.mock.calls.length]).toEqual([1, 1]);
  });

  it("repeats only keys that allow it", () => {
    const run = vi.fn();
    shortcuts.register({ id: "j", label: "j", key: "j", repeats: true, run }, "view");
    press("j");
    press("j", { repeat: true });
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("ignores the keys of an input method", () => {
    const { run } = register("Mod+k");
    press("k", { ctrlKey: true, isComposing: true });
    press("k", { ctrlKey: true, keyCode: 229 });
    expect(run).not.toHaveBeenCalled();
  });

  it("ignores events that were handled", () => {
    const { run } = register("j");
    const inner = document.createElement("div");
    inner.addEventListener("keydown", (event) => event.preventDefault());
    document.body.append(inner);
    press("j", {}, inner);
    expect(run).not.toHaveBeenCalled();
  });

  it("reports a failure", async () => {
    const fault = new Error("no");
    shortcuts.register({ id: "x", label: "x", key: "x", run: () => Promise.reject(fault) }, "view");
    press("x");
    await vi.waitFor(() => expect(onError).toHaveBeenCalledWith(fault));
  });
});
