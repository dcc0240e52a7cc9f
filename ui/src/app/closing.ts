// What has to be done before the window goes: the shell asks, the rooms flush, the page answers.
import type { DesktopApi, WindowClosing } from "../api/backend";
import type { Kept } from "../api/host";

/** `anyway`: the person has been asked, and gives up what can't be kept. */
type Flush = (anyway: boolean) => Kept | Promise<Kept>;

/** What is not kept. */
export type Lost = Exclude<Kept, "kept">;

/** The shell waits 2 s; the answer should come before it gives up. */
const AT_MOST = 1_600;

export class Closing {
  readonly #flushers = new Set<Flush>();
  #asking = false;

  /** `ask` asks the person whether to close although something is not kept. */
  constructor(private readonly ask: (lost: Lost) => Promise<boolean>) {}

  add(flush: Flush): () => void {
    this.#flushers.add(flush);
    return () => this.#flushers.delete(flush);
  }

  /** Listens to the browser's tab; returns how to stop. */
  listen(): () => void {
    const onPageHide = () => void this.#flush(true);
    window.addEventListener("pagehide", onPageHide);
    return () => window.removeEventListener("pagehide", onPageHide);
  }

  /** The window is about to close: it goes when everything is kept, or when the person says so. */
  async end(desktop: Pick<DesktopApi, "closeWindow" | "keepWindow">, { may_stay }: WindowClosing): Promise<void> {
    if (this.#asking && may_stay) {
      await desktop.keepWindow();
      return;
    }
    const kept = await this.#flush(false);
    // A window that can't be kept goes by itself; nothing is given up that nobody was asked about.
    if (kept !== "kept" && may_stay && (await desktop.keepWindow())) {
      if (!(await this.#mayLose(kept))) return;
      await this.#flush(true);
    }
    await desktop.closeWindow();
  }

  async #mayLose(lost: Lost): Promise<boolean> {
    this.#asking = true;
    try {
      return await this.ask(lost);
    } finally {
      this.#asking = false;
    }
  }

  /** Runs everything, as long as there is time; what fails or takes too long is not known to be kept. */
  async #flush(anyway: boolean): Promise<Kept> {
    const flushed = Promise.allSettled([...this.#flushers].map(async (flush) => flush(anyway)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), AT_MOST)));
    const done = await Promise.race([flushed, limit]);
    clearTimeout(timer);
    const all = done?.map((one) => (one.status === "fulfilled" ? one.value : "unkept")) ?? ["unkept"];
    return all.find((kept) => kept === "unkept") ?? all.find((kept) => kept !== "kept") ?? "kept";
  }
}
