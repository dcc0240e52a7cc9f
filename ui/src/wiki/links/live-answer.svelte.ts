// An answer of the server that a change of any page may outdate, kept up to date quietly, as reactive state.
import type { ApiEvents } from "../../api/events/events";
import { onPagesChanged } from "./page-changes";

export type AnswerState<T> = { kind: "loading" } | { kind: "ready"; value: T } | { kind: "failed"; error: unknown };

export class LiveAnswer<T> {
  state = $state.raw<AnswerState<T>>({ kind: "loading" });
  #loading: AbortController | null = null;

  constructor(
    private readonly events: Pick<ApiEvents, "on">,
    private readonly read: (signal: AbortSignal) => Promise<T>,
  ) {}

  /** Keeps the shown answer until the new one arrives. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      const value = await this.read(signal);
      if (!signal.aborted) this.state = { kind: "ready", value };
    } catch (error) {
      if (!signal.aborted) this.state = { kind: "failed", error };
    }
  }

  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Loads it now and after each change. Returns a function that stops it. */
  follow(): () => void {
    void this.load();
    const stop = onPagesChanged(this.events, () => void this.load());
    return () => {
      stop();
      this.#loading?.abort();
    };
  }
}
