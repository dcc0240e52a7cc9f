// Pictures that are decoded before they are shown, reduced to the size of the stage so that their memory is bounded.
import type { Size } from "../../zoom/zoom";
import { decodedElement, decodesElements } from "../thumbnails/decoding";

/** A picture that may be shown next. */
export interface UpcomingPicture {
  url: string;
  /** The size of its file, in pixels. */
  size: Size;
}

/** Decodes a picture and reduces it to a size. */
export type ReducePicture = (url: string, size: Size, signal: AbortSignal) => Promise<HTMLCanvasElement>;

/** The maximum number of pixels of a reduced picture: 16 MiB. */
const MAX_PIXELS = 4 << 20;

/** The pictures beside the current one, and the current one itself, if it was prepared: three at most. */
export class PreparedPictures {
  /** Null for a picture that could not be decoded. */
  readonly #pictures = new Map<string, HTMLCanvasElement | null>();
  #queue: UpcomingPicture[] = [];
  #running: { url: string; ending: AbortController } | null = null;

  constructor(private readonly reduce: ReducePicture = reducePicture) {}

  get(url: string): HTMLCanvasElement | null {
    return this.#pictures.get(url) ?? null;
  }

  /** Prepares pictures for a stage, one after the other, and forgets all others except `current`. */
  prepare(upcoming: readonly UpcomingPicture[], current: string, stage: Size): void {
    const urls = new Set([current, ...upcoming.map(({ url }) => url)]);
    for (const url of this.#pictures.keys()) if (!urls.has(url)) this.#pictures.delete(url);
    if (this.#running && !urls.has(this.#running.url)) this.#running.ending.abort();
    this.#queue = upcoming.filter(({ url }) => !this.#pictures.has(url) && url !== this.#running?.url);
    void this.#run(stage);
  }

  dispose(): void {
    this.#queue = [];
    this.#running?.ending.abort();
    this.#pictures.clear();
  }

  async #run(stage: Size): Promise<void> {
    if (this.#running) return;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const ending = new AbortController();
      this.#running = { url: next.url, ending };
      const canvas = await this.#reduced(next, stage, ending.signal);
      if (!ending.signal.aborted) this.#pictures.set(next.url, canvas);
      this.#running = null;
    }
  }

  async #reduced({ url, size }: UpcomingPicture, stage: Size, signal: AbortSignal): Promise<HTMLCanvasElement | null> {
    try {
      return await this.reduce(url, reducedSize(size, stage), signal);
    } catch {
      // The reason is reported when the picture is shown.
      return null;
    }
  }
}

/** Returns the size of a picture that fits into the stage, both in pixels of the screen. It is never enlarged. */
export function reducedSize(picture: Size, stage: Size): Size {
  const fit = Math.min(stage.width / picture.width, stage.height / picture.height);
  const most = Math.sqrt(MAX_PIXELS / (picture.width * picture.height));
  const scale = Math.min(1, fit, most);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(picture.width), height: side(picture.height) };
}

/** Returns a size in pixels of the screen. */
export function scaled({ width, height }: Size, density: number): Size {
  return { width: width * density, height: height * density };
}

/** The types that image elements request: the answer is then the same, and cached for them. */
const ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

async function reducePicture(url: string, size: Size, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const source = decodesElements() ? await decodedElement(url, signal) : await decodedBitmap(url, size, signal);
  const canvas = Object.assign(document.createElement("canvas"), size);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas is available");
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, size.width, size.height);
  if (source instanceof ImageBitmap) source.close();
  return canvas;
}

async function decodedBitmap(url: string, { width, height }: Size, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(url, { signal, priority: "low", headers: { accept: ACCEPT } });
  if (!response.ok) throw new Error(`${response.status}`);
  const blob = await response.blob();
  signal.throwIfAborted();
  return createImageBitmap(blob, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
}
