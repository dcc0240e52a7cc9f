// A locked page that cannot be edited: one's own lock may be that of a tab that is gone, and can be taken over.
import type { Backend } from "../api/backend";
import type { ApiError } from "../api/errors";
import type { Host } from "../api/host";

export class TakeOverOffers {
  readonly #open: (() => void)[] = [];

  constructor(
    private readonly backend: Pick<Backend, "users">,
    private readonly host: Host,
    private readonly isLeft: () => boolean,
  ) {}

  /** Says who holds the lock, and offers to take over one's own. */
  async offer(error: ApiError, takeOver: () => Promise<void>): Promise<void> {
    const isOwn = await this.#isMe(error.details.userName);
    if (this.isLeft()) return;
    const { host } = this;
    const action = { label: host.t("wiki.edit_here"), run: takeOver };
    const close = host.toast(host.describe(error), isOwn ? { tone: "warn", action, duration: 15_000 } : { tone: "warn" });
    // Elsewhere the offer would take the lock from one's own open editor.
    if (isOwn) this.#open.push(close);
  }

  close(): void {
    for (const close of this.#open) close();
  }

  async #isMe(name: string | undefined): Promise<boolean> {
    try {
      return name === (await this.backend.users.me()).name;
    } catch {
      // The offer is an extra; the message names who is in the way all the same.
      return false;
    }
  }
}
