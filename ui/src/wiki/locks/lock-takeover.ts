// Offers to take over a page's lock: it may be the user's own, of a tab that is gone.
import type { Backend } from "../../api/backend";
import type { ApiError } from "../../api/errors";
import type { Host } from "../../api/host";

export class LockTakeover {
  readonly #open: (() => void)[] = [];

  constructor(
    private readonly backend: Pick<Backend, "users">,
    private readonly host: Host,
    private readonly isLeft: () => boolean,
  ) {}

  /** Names the holder of the lock, and offers to take over the user's own. */
  async offer(error: ApiError, takeOver: () => Promise<void>): Promise<void> {
    const isOwn = await this.#isMe(error.details.userName);
    if (this.isLeft()) return;
    const { host } = this;
    const action = { label: host.t("wiki.edit_here"), run: takeOver };
    const close = host.toast(host.describe(error), isOwn ? { tone: "warn", action, duration: 15_000 } : { tone: "warn" });
    // In another view the offer would take the lock from the user's own open editor.
    if (isOwn) this.#open.push(close);
  }

  close(): void {
    for (const close of this.#open) close();
  }

  async #isMe(name: string | undefined): Promise<boolean> {
    try {
      return name === (await this.backend.users.me()).name;
    } catch {
      // The offer is optional; the message names the holder regardless.
      return false;
    }
  }
}
