// The frames of an animated AVIF. They depend on each other, and engines give no access to them: the server decodes them,
// and sends them in parts.
import { type AnimationFrame, type FileBytes, frameDuration, MAX_BYTES } from "./animation";
import { chunkOf, readWebp } from "./webp";

/** Some consecutive frames of an animation, each of which covers the canvas. */
export interface SequencePart {
  /** The index of the first one. */
  from: number;
  frames: AnimationFrame[];
  /** The durations of all frames of the animation, in milliseconds. */
  durations: number[];
  plays: number;
  width: number;
  height: number;
  type: string;
  /** In bytes. */
  size: number;
}

/** Loads the part that begins with a frame. */
export type LoadPart = (from: number) => Promise<SequencePart>;

/** Returns the part in an answer of the server; null if it is none. */
export function readPart(bytes: FileBytes): SequencePart | null {
  const found = readWebp(bytes);
  const table = chunkOf(bytes, "FRMS");
  if (found === null || found.frames.length === 0 || table === null || table.length < 8) return null;
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const durations = Array.from({ length: Math.floor(table.length / 4) - 1 }, (_, nth) => frameDuration(view.getUint32(4 * nth + 4, true)));
  return { ...found, from: view.getUint32(0, true), durations, size: bytes.length };
}

/** The parts of an animation that were loaded. */
export class SequenceParts {
  /** The least recently used part is the first. */
  readonly #parts: Set<SequencePart>;
  readonly #loading = new Map<number, Promise<SequencePart>>();

  constructor(
    private readonly first: SequencePart,
    private readonly load: LoadPart,
    private readonly maxBytes: number = MAX_BYTES,
  ) {
    this.#parts = new Set([first]);
  }

  /** Returns a frame, and begins to load what follows its part. */
  async frame(index: number): Promise<AnimationFrame> {
    const part = this.#partWith(index) ?? (await this.#loadFrom(index));
    this.#parts.delete(part);
    this.#parts.add(part);
    this.#loadNext(part);
    const frame = part.frames[index - part.from];
    if (frame === undefined) throw new Error("the frame is not in its part");
    return frame;
  }

  #partWith(index: number): SequencePart | undefined {
    return [...this.#parts].find(({ from, frames }) => index >= from && index < from + frames.length);
  }

  #loadNext({ from, frames }: SequencePart): void {
    const next = (from + frames.length) % this.first.durations.length;
    // An error is reported once the frame is needed.
    if (this.#partWith(next) === undefined) void this.#loadFrom(next).catch(() => {});
  }

  #loadFrom(index: number): Promise<SequencePart> {
    const loading = this.#loading.get(index) ?? this.#keep(index).finally(() => this.#loading.delete(index));
    this.#loading.set(index, loading);
    return loading;
  }

  async #keep(index: number): Promise<SequencePart> {
    const part = await this.load(index);
    let bytes = part.size;
    const recent = [...this.#parts].reverse();
    // The part in use stays, whatever its size.
    for (const [nth, one] of recent.entries()) {
      bytes += one.size;
      if (nth > 0 && bytes > this.maxBytes) this.#parts.delete(one);
    }
    this.#parts.add(part);
    return part;
  }
}
