import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Action } from "../api/host";
import { FakeBackend } from "../testing/fake-backend";
import { App } from "./app.svelte";
import { createHost } from "./view-state.svelte";

let app: App;
let created: ReturnType<typeof createHost>;

beforeEach(() => {
  app = new App(new FakeBackend());
  created = createHost(app);
  window.addEventListener("keydown", app.shortcuts.handle);
});

afterEach(() => {
  created.dispose();
  window.removeEventListener("keydown", app.shortcuts.handle);
});

/** Presses Ctrl S; returns true if the browser's default is prevented. */
function pressSave(): boolean {
  const event = new KeyboardEvent("keydown", { key: "s", code: "KeyS", ctrlKey: true, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
}

it("a disabled action's key also suppresses the browser's", () => {
  const run = vi.fn();
  const save = (disabled: boolean): Action => ({ id: "save", label: "Save", key: "Mod+s", disabled, run });
  expect(pressSave()).toBe(false);
  created.host.setActions([save(true)]);
  expect(pressSave()).toBe(true);
  expect(run).not.toHaveBeenCalled();
  expect(app.shortcuts.all.map(({ palette }) => palette)).toEqual([false]);
  created.host.setActions([save(false)]);
  expect(pressSave()).toBe(true);
  expect(run).toHaveBeenCalledOnce();
  created.host.setActions([]);
  expect(pressSave()).toBe(false);
});

it("the undo key also reverts actions without messages", async () => {
  const run = vi.fn();
  created.host.undoable("3 stars", run);
  expect(app.undos.last?.what).toBe("3 stars");
  created.dispose();
  if (app.undos.last) await app.undos.take(app.undos.last);
  expect(run).toHaveBeenCalledOnce();
});
