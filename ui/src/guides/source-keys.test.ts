import { describe, expect, it } from "vitest";
import { type ReadSource, shownKeys, sourceKeys } from "./source-keys";

function reading(files: Record<string, string>): ReadSource {
  return (file) => files[file] ?? null;
}

const keysOf = (text: string, others: Record<string, string> = {}) => sourceKeys("a/Room.svelte", reading({ "a/Room.svelte": text, ...others }));

describe("the keys of a source", () => {
  it("are found beside their labels", () => {
    const found = keysOf(`<script lang="ts">
      const KEYS = { restore: "r" } as const;
      const actions: Action[] = [{ id: "x", label: t("a.x"), key: "Mod+x", run }];
      host.registerShortcut({ id: "y", label: host.t("a.y", { n: 1 }), key: KEYS.restore, run });
    </script>`);
    expect(found.map(({ label, chord }) => [label, chord])).toEqual([
      ["a.x", "Mod+x"],
      ["a.y", "r"],
    ]);
  });

  it("are resolved through constants and platform conditions", () => {
    const found = keysOf(
      `<script lang="ts">
        import { SORT_KEY as SORT } from "./order";
        const REPLACE = isMac() ? "Mod+Alt+f" : "Mod+h";
        const label = t("a.sort");
        const all = [{ label, key: SORT }, { label: t("a.replace"), key: REPLACE }];
      </script>`,
      { "a/order.ts": `export const SORT_KEY = "s";` },
    );
    expect(found.map(({ chord }) => chord)).toEqual(["s", "Mod+h"]);
  });

  it("are all of those among which one is chosen when it runs", () => {
    const found = keysOf(
      `<script lang="ts">
        import { KEYS } from "./keys";
        const keys = $derived(KEYS[job.kind]);
        const label = $derived(t("a.pause", { what }));
        host.registerShortcut({ id: "pause", label, key: keys.pause, run });
      </script>`,
      { "a/keys.ts": `export const KEYS = { one: { begin: "x", pause: "Shift+x" }, two: { begin: "y", pause: "Shift+y" } } as const;` },
    );
    expect(found.map(({ label, chord }) => [label, chord])).toEqual([
      ["a.pause", "Shift+x"],
      ["a.pause", "Shift+y"],
    ]);
  });

  it.each([
    `function key(label: string, keys: string) { host.registerShortcut({ label: t("a.x"), key: keys, run }); }`,
    `function key(words: string) { host.registerShortcut({ label: words, key: "x", run }); }`,
    `const all = [{ label: t("a.x"), key: wide ? "a" : "b" }];`,
  ])("must be readable: %s", (script) => {
    expect(() => keysOf(`<script lang="ts">${script}</script>`)).toThrow("a/Room.svelte");
  });
});

it("reads keys that are shown beside a button", () => {
  const source = `<script lang="ts">const { keys: given } = $props(); const hint = { text: "x", keys: "Enter" };</script>
    <IconButton keys="F2" /><IconButton keys={given} />`;
  expect(shownKeys("Row.svelte", reading({ "Row.svelte": source })).sort()).toEqual(["Enter", "F2"]);
});
