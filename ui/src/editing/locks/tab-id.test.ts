import { beforeEach, expect, it } from "vitest";
import { type Channel, claimTabId, uuidV4 } from "./tab-id";

type Listener = (event: MessageEvent<unknown>) => void;

/** Simulates the tabs of one browser: a message reaches every channel but the sender's. */
class Browser {
  readonly #tabs: Listener[][] = [];
  readonly #held = new Set<string>();
  #count = 0;

  /** Opens a tab with this storage; returns its claimed id, and records its messages. */
  open(storage = new Map<string, string>(), wait: () => Promise<void> = settle): Promise<string> {
    const listeners: Listener[] = [];
    this.#tabs.push(listeners);
    const channel = {
      addEventListener: (_: string, listener: Listener) => listeners.push(listener),
      postMessage: (data: unknown) => {
        const others = this.#tabs.filter((tab) => tab !== listeners);
        queueMicrotask(() => {
          for (const listener of others.flat()) listener(new MessageEvent("message", { data }));
        });
      },
    } as unknown as Channel;
    return claimTabId({
      channel,
      storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value) },
      newId: () => `id-${++this.#count}`,
      wait,
      hold: async (id) => {
        await settle();
        if (this.#held.has(id)) return false;
        this.#held.add(id);
        return true;
      },
    });
  }

  /** Makes every tab too busy to receive messages. */
  deafen(): void {
    for (const listeners of this.#tabs) listeners.length = 0;
  }

  /** Destroys the document of a tab. */
  destroy(id: string): void {
    this.#held.delete(id);
  }

  send(data: unknown): void {
    for (const listener of this.#tabs.flat()) listener(new MessageEvent("message", { data }));
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

let browser: Browser;
beforeEach(() => (browser = new Browser()));

it("keeps its id over reloads", async () => {
  const storage = new Map<string, string>();
  const first = await browser.open(storage);
  expect([...storage.values()]).toEqual([first]);
  expect(await new Browser().open(storage)).toBe(first);
});

it("gives a duplicated tab a new id", async () => {
  const storage = new Map<string, string>();
  const first = await browser.open(storage);
  const copy = new Map(storage);
  const second = await browser.open(copy);
  expect(second).not.toBe(first);
  expect([...copy.values()]).toEqual([second]);
  expect([...storage.values()]).toEqual([first]);
});

it("gives duplicates of busy tabs a new id", async () => {
  const storage = new Map<string, string>();
  const first = await browser.open(storage);
  browser.deafen();
  expect(await browser.open(new Map(storage))).not.toBe(first);
});

it("keeps its id in the tab's next document", async () => {
  const storage = new Map<string, string>();
  const first = await browser.open(storage);
  browser.deafen();
  browser.destroy(first);
  expect(await browser.open(storage)).toBe(first);
});

it("separates tabs that start with the same id", async () => {
  const storage = new Map<string, string>();
  await browser.open(storage);
  const ids = await Promise.all([1, 2, 3].map(() => browser.open(new Map(storage))));
  expect(new Set([...storage.values(), ...ids]).size).toBe(4);
});

it("ignores answers for other tabs", async () => {
  const storage = new Map<string, string>();
  const claim = browser.open(storage);
  const [own] = storage.values();
  browser.send({ kind: "existing", id: own, nonce: "somebody-else" });
  expect(await claim).toBe(own);
});

it("keeps its id despite a late answer", async () => {
  const storage = new Map<string, string>();
  const own = await browser.open(storage);
  browser.send({ kind: "existing", id: own, nonce: "id-1" });
  expect([...storage.values()]).toEqual([own]);
});

it.each([null, 1, "ask", {}, { kind: "ask" }, { kind: "other", id: "id-2", nonce: "x" }])("ignores %j", async (data) => {
  const claim = browser.open();
  browser.send(data);
  await expect(claim).resolves.toMatch(/^id-/);
});

it("uses UUIDs of version 4", () => {
  expect(uuidV4()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidV4()).not.toBe(uuidV4());
});
