// A preview of the items that a policy would remove now, requested a moment after the number has changed.
import type { TtlAmount, TtlApi } from "../../api/ttl";

const PAUSE = 250;

export class PolicyPreview {
  /** The answer for the last requested days; null while there is none. */
  answer = $state.raw<{ days: number; amount: TtlAmount } | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | null = null;

  constructor(
    private readonly api: Pick<TtlApi, "preview">,
    private readonly root: string | null,
  ) {}

  /** Null requests nothing. */
  ask(days: number | null): void {
    this.stop();
    this.answer = null;
    this.failure = null;
    if (days === null) return;
    this.#timer = setTimeout(() => void this.#read(days), PAUSE);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  async #read(days: number): Promise<void> {
    const { signal } = (this.#asking = new AbortController());
    try {
      const amount = await this.api.preview(days, this.root, signal);
      if (!signal.aborted) this.answer = { days, amount };
    } catch (reason) {
      if (!signal.aborted) this.failure = { reason };
    }
  }
}
