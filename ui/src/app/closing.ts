// What has to be done before the window goes: the shell asks, the rooms flush, the page answers.
import type { DesktopApi } from "../api/backend";

type Flush = () => void | Promise<void>;

/** The shell waits 2 s; the answer should come before it gives up. */
const AT_MOST = 1_800;

export class Closing {
  readonly #flushers = new Set<Flush>();

  add(flush: Flush): () => void {
    this.#flushers.add(flush);
    return () => this.#flushers.delete(flush);
  }

  /** Listens to the window, or to the browser's tab; returns how to stop. */
  start(desktop: DesktopApi | null): () => void {
    if (desktop) {
      const listening = desktop.onWindowClosing(() => void this.#flushAndClose(desktop));
      return () => void listening.then((stop) => stop());
    }
    const onPageHide = () => void this.flush();
    window.addEventListener("pagehide", onPageHide);
    return () => window.removeEventListener("pagehide", onPageHide);
  }

  /** Runs everything; one that fails does not keep the others from running. */
  async flush(): Promise<void> {
    await Promise.allSettled([...this.#flushers].map(async (flush) => flush()));
  }

  async #flushAndClose(desktop: DesktopApi): Promise<void> {
    const limit = new Promise((resolve) => setTimeout(resolve, AT_MOST));
    await Promise.race([this.flush(), limit]);
    await desktop.closeWindow();
  }
}
