// The sequence before the window closes: the shell asks, the views flush, the page answers.
import type { DesktopApi, WindowClosing } from "../../api/backend";
import type { FlushResult } from "../../api/host";
import { withTimeout } from "../../api/transport/timeout";

/** `certain`: everything is saved, or the user has been asked; held resources are released. */
type Flush = (certain: boolean) => FlushResult | Promise<FlushResult>;

/** The data that could not be saved. */
export type Loss = Exclude<FlushResult, "saved">;

/** The shell waits 2 s; the answer should arrive before it gives up. */
const TIMEOUT_MS = 1_600;
/** The pause before another attempt to save, while the user is asked. */
const RETRY_MS = 2_000;

export class ClosingSequence {
  readonly #flushers = new Set<Flush>();
  #asking = false;

  /**
   * `ask` asks the user whether to close although something is not saved; the answer is no if the question is withdrawn.
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

  /** Handles the closing of the window: it closes once everything is saved, or if the user agrees. */
  async end(desktop: Pick<DesktopApi, "closeWindow" | "keepWindow">, { may_stay }: WindowClosing): Promise<void> {
    if (this.#asking && may_stay) {
      await desktop.keepWindow();
      return;
    }
    const end = performance.now() + TIMEOUT_MS;
    const flushing = this.#flush(false);
    const outcome = (await withTimeout(TIMEOUT_MS, flushing)) ?? "unsaved";
    // A window that cannot be kept open closes by itself; nothing is discarded without a question.
    const asks = outcome !== "saved" && may_stay && (await desktop.keepWindow());
    if (asks && !(await this.#confirmClosing(outcome, flushing))) return;
    if (asks || outcome === "saved") await withTimeout(asks ? TIMEOUT_MS : end - performance.now(), this.#flush(true));
    await desktop.closeWindow();
  }

  /** Asks until everything is saved: data that was only slow to flush no longer concerns the user. */
  async #confirmClosing(lost: Loss, flushing: Promise<FlushResult>): Promise<boolean> {
    this.#asking = true;
    try {
      const [withdrawn, answered] = [new AbortController(), new AbortController()];
      const changed = this.#untilChanged(lost, flushing, answered.signal);
      void changed.then((outcome) => outcome !== lost && withdrawn.abort());
      const yes = await this.ask(lost, withdrawn.signal);
      answered.abort();
      if (!withdrawn.signal.aborted) return yes;
      const now = await changed;
      return now === "saved" || (await this.#confirmClosing(now, this.#flush(false)));
    } finally {
      this.#asking = false;
    }
  }

  /**
   * Returns the lost data as soon as it differs from before, or once the user has answered. A text that was typed during
   * a flush, or whose write failed once, is saved by a later attempt.
   */
  async #untilChanged(lost: Loss, flushing: Promise<FlushResult>, answered: AbortSignal): Promise<FlushResult> {
    let outcome = await flushing;
    while (outcome === lost && !answered.aborted) {
      await pause(RETRY_MS);
      if (!answered.aborted) outcome = await this.#flush(false);
    }
    return outcome;
  }

  /** Runs all flushes; a failed one counts as unsaved. */
  async #flush(certain: boolean): Promise<FlushResult> {
    const done = await Promise.allSettled([...this.#flushers].map(async (flush) => flush(certain)));
    const all = done.map((one) => (one.status === "fulfilled" ? one.value : "unsaved"));
    return all.find((outcome) => outcome === "unsaved") ?? all.find((outcome) => outcome !== "saved") ?? "saved";
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
