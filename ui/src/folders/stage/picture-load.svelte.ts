// The loading of a picture on the stage: what is shown of it, and the reason if it fails.
import type { FoldersApi } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { EncodedPath } from "../../api/names";
import { isTruncated } from "./truncated-file";
import type { Size } from "../../zoom/zoom";

/** The picture. All of it is reactive. */
export interface PictureRequest {
  url: string;
  /** The address of the thumbnail that the grid has already loaded. */
  thumbnailUrl: string;
  root: string;
  path: EncodedPath;
  /** True if the server has failed to read the picture before. */
  isUndecodable: boolean;
}

/** The parts of an image element that loading depends on. */
export type LoadedImage = Pick<HTMLImageElement, "naturalWidth" | "naturalHeight" | "decode" | "isConnected">;

export class PictureLoad {
  attempt = $state(0);
  /** The address of the picture that was shown last. */
  #shownUrl = $state<string | null>(null);
  /** The address of the picture that was painted last. */
  #paintedUrl = $state<string | null>(null);
  #failure = $state.raw<{ url: string; reason: unknown } | null>(null);
  #natural = $state.raw<{ url: string; size: Size } | null>(null);
  #truncatedUrl = $state<string | null>(null);
  /** The thumbnail that the server has failed to make. */
  #failedThumbnail = $state<string | null>(null);
  /** The thumbnail that was loaded or probed. */
  #checkedThumbnail: string | null = null;
  #requests = new AbortController();

  /** Creates the state. `onsettled` is called once a picture is on the screen, or is known to fail. */
  constructor(
    private readonly folders: Pick<FoldersApi, "info" | "probe">,
    private readonly picture: () => PictureRequest,
    private readonly onsettled: (url: string) => void,
  ) {}

  /** The address of the picture that was shown last, which may be the previous one. */
  get shownUrl(): string | null {
    return this.#shownUrl;
  }

  get isShown(): boolean {
    return this.#shownUrl === this.picture().url;
  }

  /** True once the picture was painted: what is beneath it is hidden since then. */
  get isPainted(): boolean {
    return this.#paintedUrl === this.picture().url;
  }

  get failure(): { reason: unknown } | null {
    return this.#failure?.url === this.picture().url ? this.#failure : null;
  }

  /** The actual size; null until it is known. */
  get naturalSize(): Size | null {
    return this.#natural?.url === this.picture().url ? this.#natural.size : null;
  }

  /** True if the picture is damaged. An engine may show the readable part of it. */
  get isDamaged(): boolean {
    const { isUndecodable, thumbnailUrl } = this.picture();
    return this.isShown && (isUndecodable || this.#failedThumbnail === thumbnailUrl);
  }

  /** True if the file of the picture ends early. */
  get isTruncated(): boolean {
    return this.isShown && this.#truncatedUrl === this.picture().url;
  }

  /** Starts another picture. Returns a function that ends its requests. */
  start(): () => void {
    const requests = (this.#requests = new AbortController());
    return () => requests.abort();
  }

  /** Handles the load event. The engine may only find now that it can't decode the picture. */
  async loaded(image: LoadedImage): Promise<void> {
    const { url, thumbnailUrl } = this.picture();
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width > 0 && height > 0) this.#natural = { url, size: { width, height } };
    try {
      await image.decode();
    } catch {
      if (url === this.picture().url && image.isConnected) await this.failed();
      return;
    }
    this.#shownUrl = url;
    void afterPaint().then(() => (this.#paintedUrl = url));
    if (url !== this.picture().url) return;
    this.onsettled(url);
    if (this.#checkedThumbnail !== thumbnailUrl) void this.#probeThumbnail();
    void this.#checkEnd();
  }

  /** Handles the error event, and requests its reason. */
  async failed(): Promise<void> {
    const { signal } = this.#requests;
    const { url } = this.picture();
    let reason: unknown = null;
    try {
      await this.folders.probe(url, signal);
    } catch (error) {
      reason = error;
    }
    if (reason === null || !signal.aborted) this.#failure = { url, reason };
    if (!signal.aborted) this.onsettled(url);
  }

  thumbnailLoaded(): void {
    this.#checkedThumbnail = this.picture().thumbnailUrl;
  }

  thumbnailFailed(): void {
    void this.#probeThumbnail();
  }

  readonly retry = (): void => {
    this.#failure = null;
    this.attempt += 1;
  };

  async #checkEnd(): Promise<void> {
    const { signal } = this.#requests;
    const { url, root, path } = this.picture();
    if (await isTruncated(this.folders, root, path, signal)) this.#truncatedUrl = url;
  }

  async #probeThumbnail(): Promise<void> {
    const { signal } = this.#requests;
    const { thumbnailUrl } = this.picture();
    this.#checkedThumbnail = thumbnailUrl;
    try {
      await this.folders.probe(thumbnailUrl, signal);
    } catch (reason) {
      if (!signal.aborted && hasCode(reason, "picture_undecodable")) this.#failedThumbnail = thumbnailUrl;
    }
  }
}

/** Resolves once a change of the document is on the screen: after the frame that paints it. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
