// The loading of an animated picture, and its frames on a canvas.
import { decodedBlob } from "../thumbnails/decoding";
import { type Animation, type FileBytes, MAX_BYTES, withinLimits } from "./animation";
import { Compositor, type Surface } from "./compositor";
import { readGif } from "./gif";
import { isAnimatedPng, readPng } from "./png";
import { readPart, type SequencePart, SequenceParts } from "./sequence";
import { isAnimatedWebp, readWebp } from "./webp";

/** The file of a picture that may be animated. */
export interface AnimationFile {
  url: string;
  /** The address of single frames, for kinds that are not taken apart here. */
  framesUrl: (from: number) => string;
  name: string;
  /** In bytes. */
  size: number;
}

export interface LoadedAnimation {
  /** The durations of the frames, in milliseconds. */
  durations: readonly number[];
  /** The number of times that all frames are shown; 0 for endlessly. */
  plays: number;
  canvas: HTMLCanvasElement;
  /** Draws a frame onto the canvas. Calls must not overlap. */
  show: (index: number) => Promise<void>;
}

interface Kind {
  read: (bytes: FileBytes) => Animation | null;
  /** Recognizes an animation by the start of its file. Absent if that requires the whole file. */
  isAnimated?: (head: FileBytes) => boolean;
}

const PNG: Kind = { read: readPng, isAnimated: isAnimatedPng };
const KINDS: Readonly<Record<string, Kind>> = {
  gif: { read: readGif },
  png: PNG,
  apng: PNG,
  webp: { read: readWebp, isAnimated: isAnimatedWebp },
};
/** The length of the start of a file that is read first. */
const HEAD = 64 << 10;

/** An error of an animation whose frames the server can't decode one by one. */
export class FramesUnavailable extends Error {}

/** Loads an animation; null for a picture that is none, or too large. */
export async function loadAnimation(file: AnimationFile, signal: AbortSignal): Promise<LoadedAnimation | null> {
  const { url, name, size } = file;
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (extension === "avif" || extension === "avifs") return loadSequence(file, signal);
  const kind = KINDS[extension];
  if (kind === undefined || size > MAX_BYTES) return null;
  if (kind.isAnimated && !kind.isAnimated(await read(url, signal, HEAD))) return null;
  const found = kind.read(await read(url, signal));
  const animation = found && withinLimits(found);
  return animation && onCanvas(animation, signal);
}

async function loadSequence({ framesUrl }: AnimationFile, signal: AbortSignal): Promise<LoadedAnimation | null> {
  const load = (from: number) => fetchPart(framesUrl(from), signal);
  const first = await load(0);
  const shown = first && CanvasSurface.create(first);
  if (first === null || shown === null) return null;
  const parts = new SequenceParts(first, async (from) => {
    const part = await load(from);
    if (part === null) throw new FramesUnavailable();
    return part;
  });
  return {
    durations: first.durations,
    plays: first.plays,
    canvas: shown.context.canvas,
    show: async (index) => {
      const frame = await parts.frame(index);
      const image = await decodedBlob(new Blob(frame.file(), { type: first.type }), signal);
      shown.clear(0, 0, first.width, first.height);
      shown.draw(image, 0, 0);
    },
  };
}

/** Requests frames; null for a picture that is not animated. */
async function fetchPart(url: string, signal: AbortSignal): Promise<SequencePart | null> {
  const response = await fetch(url, { signal });
  if (response.status === 204) return null;
  if (response.status === 422) throw new FramesUnavailable();
  if (!response.ok) throw new Error(`${response.status}`);
  const part = readPart(new Uint8Array(await response.arrayBuffer()));
  if (part === null) throw new FramesUnavailable();
  return part;
}

async function read(url: string, signal: AbortSignal, length?: number): Promise<FileBytes> {
  const response = await fetch(url, { signal, headers: length === undefined ? {} : { range: `bytes=0-${length - 1}` } });
  if (!response.ok) throw new Error(`${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

type Source = HTMLImageElement | ImageBitmap;

function onCanvas(animation: Animation, signal: AbortSignal): LoadedAnimation | null {
  const [shown, drawn] = [CanvasSurface.create(animation), CanvasSurface.create(animation)];
  if (shown === null || drawn === null) return null;
  const compositor = new Compositor<Source>(animation, drawn, (frame) => decodedBlob(new Blob(frame.file(), { type: animation.type }), signal));
  return {
    durations: animation.frames.map(({ duration }) => duration),
    plays: animation.plays,
    canvas: shown.context.canvas,
    show: async (index) => {
      await compositor.show(index);
      shown.paste(drawn);
    },
  };
}

class CanvasSurface implements Surface<Source> {
  constructor(readonly context: CanvasRenderingContext2D) {}

  static create({ width, height }: { width: number; height: number }): CanvasSurface | null {
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    return context && new CanvasSurface(context);
  }

  clear(x: number, y: number, width: number, height: number): void {
    this.context.clearRect(x, y, width, height);
  }

  draw(image: Source, x: number, y: number): void {
    this.context.drawImage(image, x, y);
    if (image instanceof ImageBitmap) image.close();
  }

  copy(): CanvasSurface {
    const other = CanvasSurface.create(this.context.canvas);
    if (other === null) throw new Error("no canvas is available");
    other.paste(this);
    return other;
  }

  paste(other: CanvasSurface): void {
    const { width, height } = this.context.canvas;
    this.context.clearRect(0, 0, width, height);
    this.context.drawImage(other.context.canvas, 0, 0);
  }
}
