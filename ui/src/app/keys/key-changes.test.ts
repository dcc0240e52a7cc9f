import { expect, it } from "vitest";
import { keysAsMarkdown, withKey, withSwappedKeys } from "./key-changes";
import { type Registered, Shortcuts } from "./shortcuts.svelte";

function registered(id: string, key: string): Registered {
  const shortcuts = new Shortcuts(() => {});
  shortcuts.register({ id, label: id, key, run: () => {} }, "everywhere");
  const [entry] = shortcuts.all;
  if (entry === undefined) throw new Error("nothing is registered");
  return entry;
}

it("a usual key is not stored", () => {
  const save = registered("save", "Mod+s");
  expect(withKey({ other: "x" }, save, "F2")).toEqual({ other: "x", save: "F2" });
  expect(withKey({ other: "x", save: "F2" }, save, "Mod+S")).toEqual({ other: "x" });
});

it("two actions swap their keys", () => {
  expect(withSwappedKeys({}, registered("a", "x"), registered("b", "y"))).toEqual({ a: "y", b: "x" });
});

it("the exported list is a table", () => {
  const groups = [{ title: "Everywhere", rows: [{ label: "Either | or", entries: [registered("a", "|"), registered("b", "Mod+k")] }] }];
  expect(keysAsMarkdown("Keys", ["Action", "Key"], groups)).toBe("# Keys\n\n## Everywhere\n\n| Action | Key |\n| --- | --- |\n| Either \\| or | \\|, Ctrl K |\n");
});
