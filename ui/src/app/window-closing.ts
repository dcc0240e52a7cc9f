// The sequence before the window closes: the shell asks, the views flush, the page answers.
import type { DesktopApi, WindowClosing } from "../api/backend";
import type { FlushResult } from "../api/host";
import { withTimeout } from "../api/timeout";

/** `certain`: everything is kept, or the user has been asked; held resources are released. */
type Flush = (certain: boolean) => FlushResult | Promise<FlushResult>;

/** The data that could not be kept. */
export type Loss = Exclude<FlushResult, "kept">;

/** The shell waits 2 s; the answer should arrive before it gives up. */
const AT_MOST = 1_600;
/** The pause before another attempt to keep data, while the user is asked. */
const AGAIN = 2_000;

export class ClosingSequence {
  readonly #flushers = new Set<Flush>();
  #asking = false;

  /**
   * `ask` asks the user whether to close although something is not kept; the answer is no if the question is withdrawn.
   */
  constructor(private readonly ask: (lost: Loss, withdrawn: AbortSignal) => Promise<boolean>) {}

  add(flush: Flush): () => void {
    this.#flushers.add(flush);
    return () => this.#flushers.delete(flush);
  }

  /** Listens to the browser's tab; returns a function that stops it. */
  listen(): () => void {
    const onPageHide = () => void this.#flush(true);
    window.addEventListener("pagehide", onPageHide);
    return () => window.removeEventListener("pagehide", onPageHide);
  }

  /** Handles the closing of the window: it closes once everything is kept, or if the user agrees. */
  async end(desktop: Pick<DesktopApi, "closeWindow" | "keepWindow">, { may_stay }: WindowClosing): Promise<void> {
    if (this.#asking && may_stay) {
      await desktop.keepWindow();
      return;
    }
    const end = performance.now() + AT_MOST;
    const keeping = this.#flush(false);
    const kept = (await withTimeout(AT_MOST, keeping)) ?? "unkept";
    // A window that cannot be kept open closes by itself; nothing is discarded without a question.
    const asks = kept !== "kept" && may_stay && (await desktop.keepWindow());
    if (asks && !(await this.#mayGo(kept, keeping))) return;
    if (asks || kept === "kept") await withTimeout(asks ? AT_MOST : end - performance.now(), this.#flush(true));
    await desktop.closeWindow();
  }

  /** Asks until everything is kept: data that was only slow to flush no longer concerns the user. */
  async #mayGo(lost: Loss, keeping: Promise<FlushResult>): Promise<boolean> {
    this.#asking = true;
    try {
      const [news, answered] = [new AbortController(), new AbortController()];
      const changed = this.#change(lost, keeping, answered.signal);
      void changed.then((kept) => kept !== lost && news.abort());
      const yes = await this.ask(lost, news.signal);
      answered.abort();
      if (!news.signal.aborted) return yes;
      const now = await changed;
      return now === "kept" || (await this.#mayGo(now, this.#flush(false)));
    } finally {
      this.#asking = false;
    }
  }

  /**
   * The lost data as soon as it differs from before, or once the user has answered. A text that was typed during a
   * flush, or whose write failed once, is kept by a later attempt.
   */
  async #change(lost: Loss, keeping: Promise<FlushResult>, answered: AbortSignal): Promise<FlushResult> {
    let kept = await keeping;
    while (kept === lost && !answered.aborted) {
      await pause(AGAIN);
      if (!answered.aborted) kept = await this.#flush(false);
    }
    return kept;
  }

  /** Runs all flushes; a failed one does not count as kept. */
  async #flush(certain: boolean): Promise<FlushResult> {
    const done = await Promise.allSettled([...this.#flushers].map(async (flush) => flush(certain)));
    const all = done.map((one) => (one.status === "fulfilled" ? one.value : "unkept"));
    return all.find((kept) => kept === "unkept") ?? all.find((kept) => kept !== "kept") ?? "kept";
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
