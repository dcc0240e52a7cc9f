// The loading of a thumbnail: its address, its retries, and the reason of a failure.
import type { FoldersApi } from "../../api/backend";
import { retryAfterFailure } from "./thumbnail-retry";

export interface ThumbnailRequest {
  url: string;
  /** The address of the same thumbnail while its place is not visible yet. */
  aheadUrl: string;
  /** True if a part of its place is in view. */
  isVisible: boolean;
  /** False during fast scrolling: nothing is requested then. */
  isCalm: boolean;
}

export class ThumbnailLoad {
  /** True once the image may be requested. */
  isStarted = $state(false);
  src = $state("");
  /**
   * True until something was shown in its place. If a picture changes, the previous thumbnail stays until the new one
   * loads.
   */
  isEmpty = $state(true);
  attempt = $state(0);
  /** Hides the engine's own icon of a broken image while the reason is requested. */
  isBroken = $state(false);
  failure = $state.raw<{ reason: unknown } | null>(null);
  #url: string | null = null;
  /** True once the image has loaded. It keeps its address: under the other one it would be fetched again. */
  #hasLoaded = false;
  #probe: AbortController | null = null;

  constructor(private readonly folders: Pick<FoldersApi, "probe">) {}

  /** Handles another size, another file, or a change of visibility. */
  update({ url, aheadUrl, isVisible, isCalm }: ThumbnailRequest): void {
    if (isCalm) this.isStarted = true;
    const isAnother = this.#url !== url;
    if (isAnother) this.#reset(url);
    if (isVisible && !this.#hasLoaded) this.src = url;
    else if (isAnother) this.src = aheadUrl;
  }

  readonly onload = (): void => {
    this.#hasLoaded = true;
    this.isEmpty = false;
  };

  /** Requests the reason of the failure, and retries if it is temporary. */
  readonly onerror = async (): Promise<void> => {
    this.#probe?.abort();
    const { signal } = (this.#probe = new AbortController());
    this.isBroken = true;
    try {
      const outcome = await retryAfterFailure(this.folders, this.src, this.attempt, signal);
      if (outcome === "again") {
        this.isBroken = false;
        this.attempt += 1;
      } else {
        this.failure = { reason: outcome.failed };
      }
    } catch (error) {
      // The cell was removed, or shows another entry by now.
      if (!signal.aborted) throw error;
    }
  };

  dispose(): void {
    this.#probe?.abort();
  }

  #reset(url: string): void {
    this.#url = url;
    this.#hasLoaded = false;
    this.#probe?.abort();
    [this.failure, this.isBroken, this.attempt] = [null, false, 0];
  }
}
