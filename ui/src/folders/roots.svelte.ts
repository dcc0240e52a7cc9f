// The folders that may be read, shared by the room and its side panel.
import { untrack } from "svelte";
import type { Backend, Root } from "../api/backend";

export type RootsState = "idle" | "loading" | "ready" | "failed";

export class Roots {
  state = $state<RootsState>("idle");
  error = $state.raw<unknown>(null);
  items = $state.raw<readonly Root[]>([]);

  #following = false;
  #again = false;

  constructor(private readonly backend: Backend) {
    const refresh = () => {
      if (this.state !== "idle") void this.#follow();
    };
    // Also whether a root's own folder is there.
    backend.events.on("folder.changed", ({ path }) => {
      if (path === null || path === undefined || path === "") refresh();
    });
    backend.events.on("resync", refresh);
  }

  /** Reads the list if that has not been done. */
  ensure(): void {
    // Whoever sees to it in an effect does not follow how the reading goes: one that failed would call for the next.
    untrack(() => {
      if (this.state === "idle" || this.state === "failed") void this.read();
    });
  }

  /** Reads it, also again: which of them are there may be otherwise by now without that anybody told. */
  renew(): void {
    untrack(() => {
      if (this.state !== "loading") void this.#follow();
    });
  }

  /** One reading after the other, however much is told meanwhile. */
  async #follow(): Promise<void> {
    this.#again = true;
    if (this.#following) return;
    this.#following = true;
    while (this.#again) {
      this.#again = false;
      await this.read();
    }
    this.#following = false;
  }

  async read(): Promise<void> {
    if (this.state !== "ready") this.state = "loading";
    try {
      this.items = await this.backend.roots.list();
      this.state = "ready";
    } catch (error) {
      // An old list stays better than none; without one, the room says what happened.
      this.error = error;
      if (this.state !== "ready") this.state = "failed";
    }
  }

  byId(id: string): Root | undefined {
    return this.items.find((root) => root.id === id);
  }

  async add(source: { grant: string } | { path: string }): Promise<Root> {
    const root = await this.backend.roots.add(source);
    this.items = [...this.items.filter(({ id }) => id !== root.id), root];
    return root;
  }

  async remove(id: string): Promise<void> {
    await this.backend.roots.remove(id);
    this.items = this.items.filter((root) => root.id !== id);
  }
}
