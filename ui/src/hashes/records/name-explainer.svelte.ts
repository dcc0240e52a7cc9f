// The explanation of a path or a record's name, updated while it is typed.
import type { HashesApi, NameExplanation } from "../../api/hashes";

/** The pause after the last key before the server is asked, in milliseconds. */
const PAUSE = 200;

export class NameExplainer {
  typed = $state("");
  explanation = $state.raw<NameExplanation | null>(null);
  failure = $state.raw<{ reason: unknown } | null>(null);
  #asking = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: Pick<HashesApi, "explain">,
    /** Returns the id of the hash folder. */
    private readonly dir: () => string,
  ) {}

  type(typed: string): void {
    this.typed = typed;
    this.#asking.abort();
    clearTimeout(this.#timer);
    if (typed === "") {
      this.explanation = null;
      this.failure = null;
      return;
    }
    this.#timer = setTimeout(() => void this.explain(), PAUSE);
  }

  /** Requests the explanation at once. An absolute path starts with a slash, and a name never does. */
  async explain(): Promise<void> {
    const { typed } = this;
    clearTimeout(this.#timer);
    const { signal } = (this.#asking = new AbortController());
    try {
      const explanation = await this.api.explain({ dir: this.dir(), ...(typed.startsWith("/") ? { path: typed } : { name: typed }) }, signal);
      if (signal.aborted) return;
      this.explanation = explanation;
      this.failure = null;
    } catch (reason) {
      if (signal.aborted) return;
      this.explanation = null;
      this.failure = { reason };
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
  }
}
