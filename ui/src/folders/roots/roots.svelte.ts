// The open folders, shared by the view and its side panel.
import { untrack } from "svelte";
import type { Backend, Root } from "../../api/backend";

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
    // These events include the availability of a root's own folder.
    backend.events.on("folder.changed", ({ path }) => {
      if (path === null || path === undefined || path === "") refresh();
    });
    backend.events.on("resync", refresh);
  }

  /** Reads the list unless it was read already. */
  ensure(): void {
    // Untracked: an effect that calls this must not depend on the state, or a failure would trigger the next read.
    untrack(() => {
      if (this.state === "idle" || this.state === "failed") void this.read();
    });
  }

  /** Reads the list again: the availability of roots may have changed without a notification. */
  renew(): void {
    untrack(() => {
      if (this.state !== "loading") void this.#follow();
    });
  }

  /** Runs one read after the other, and one more after notifications meanwhile. */
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
      // An old list is better than none. Without one, the view shows the error.
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
