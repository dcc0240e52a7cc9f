// The pages that the user has pinned above the tree. The server keeps them for the user.
import type { Backend, UsersApi, VisitedPage } from "../../api/backend";

export class Pins {
  #pages = $state.raw<readonly VisitedPage[]>([]);
  readonly #ids = $derived(new Set(this.#pages.map(({ page_id }) => page_id)));
  #reads = 0;
  #wanted = false;

  constructor(
    private readonly users: Pick<UsersApi, "pins" | "pin" | "unpin">,
    events: Pick<Backend["events"], "on">,
  ) {
    const readAgain = () => void (this.#wanted && this.read());
    events.on("settings.changed", readAgain);
    events.on("resync", readAgain);
    // A pinned page may be deleted, and restored again; its title and path may change.
    events.on("page.changed", ({ page_id, kind }) => {
      if (this.#ids.has(page_id) || kind === "restored" || kind === "renamed") readAgain();
    });
  }

  /** In the order of pinning. */
  get pages(): readonly VisitedPage[] {
    return this.#pages;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  async read(): Promise<void> {
    this.#wanted = true;
    const number = ++this.#reads;
    try {
      const pages = await this.users.pins();
      if (number === this.#reads) this.#pages = pages;
    } catch {
      // The known pins stay; the next change or `resync` reads them again.
    }
  }

  /** Pins the page, or unpins it. */
  async toggle(id: string): Promise<void> {
    if (this.has(id)) await this.users.unpin(id);
    else await this.users.pin(id);
    await this.read();
  }
}
