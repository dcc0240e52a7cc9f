import { describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import { redoShortcut, undoShortcut } from "../keys/global-shortcuts";

describe("undoable actions", () => {
  it("remain available after their messages, latest first", async () => {
    const app = new App(new FakeBackend());
    const [first, second] = [vi.fn(), vi.fn()];
    app.toast("Moved", { undo: first });
    app.toast("Deleted", { undo: second })();
    expect(app.toasts.items).toHaveLength(1);
    const remove = undoShortcut(app);
    expect(app.shortcuts.all.at(-1)?.label).toBe("Undo: Deleted");
    await app.shortcuts.all.at(-1)?.run();
    expect(second).toHaveBeenCalledOnce();
    remove?.();
    expect(app.undos.last?.what).toBe("Moved");
  });

  it("is undone once, by message or key", async () => {
    const app = new App(new FakeBackend());
    const undo = vi.fn();
    app.toast("Deleted", { undo });
    const { last } = app.undos;
    await app.toasts.items[0]?.action?.run();
    if (last !== null) await app.undos.take(last);
    expect(undo).toHaveBeenCalledOnce();
    expect(app.toasts.items).toEqual([]);
    expect(undoShortcut(app)).toBeUndefined();
  });

  it("can be retried after a failure", async () => {
    const app = new App(new FakeBackend());
    app.toast("Deleted", { undo: () => Promise.reject(new Error("no")) });
    await expect(app.toasts.items[0]?.action?.run()).rejects.toThrow("no");
    expect(app.undos.last?.what).toBe("Deleted");
  });
});

describe("undone actions", () => {
  /** Undoes and does again, like an operation on files. */
  function operation(app: App) {
    const runs: string[] = [];
    const done = () => app.toast("Moved", { undo: () => (runs.push("undo"), undone()) });
    const undone = () => void app.toast("Restored", { redo: () => (runs.push("redo"), void done()) });
    done();
    return runs;
  }

  it("are redone by message or key, then undoable", async () => {
    const app = new App(new FakeBackend());
    const runs = operation(app);
    expect(redoShortcut(app)).toBeUndefined();
    await app.toasts.items[0]?.action?.run();
    expect(app.toasts.items[0]?.action?.label).toBe("Redo");
    redoShortcut(app);
    const key = app.shortcuts.all.at(-1);
    expect([key?.label, key?.key]).toEqual(["Redo: Restored", "Mod+Shift+z"]);
    await key?.run();
    expect(app.redos.last).toBeNull();
    if (app.undos.last !== null) await app.undos.take(app.undos.last);
    expect(runs).toEqual(["undo", "redo", "undo"]);
  });

  it("are not done again after another action", async () => {
    const app = new App(new FakeBackend());
    operation(app);
    await app.toasts.items[0]?.action?.run();
    app.toast("Deleted", { undo: vi.fn() });
    expect(app.redos.last).toBeNull();
  });
});
