// The frames of a GIF.
import { type Animation, type AnimationFrame, type Disposal, type FileBytes, frameDuration } from "./animation";

const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b];
const [CONTROL, APPLICATION] = [0xf9, 0xff];
const HEADER = 13;
const DISPOSALS: Readonly<Record<number, Disposal>> = { 2: "clear", 3: "restore" };

/** The properties of the next frame, from the block before it. */
interface Control {
  disposal: Disposal;
  duration: number;
  bytes: FileBytes;
}

const PLAIN: Control = { disposal: "keep", duration: frameDuration(0), bytes: new Uint8Array() };

/** Returns the frames that are complete; null if it is no GIF. */
export function readGif(bytes: FileBytes): Animation | null {
  if (bytes.length < HEADER || !/^GIF8[79]a$/.test(String.fromCharCode(...bytes.subarray(0, 6)))) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const colours = bytes.subarray(HEADER, HEADER + paletteLength(bytes[10]));
  const frames: AnimationFrame[] = [];
  let plays = 1;
  let control = PLAIN;
  let at = HEADER + colours.length;
  while (at < bytes.length && bytes[at] !== END) {
    if (bytes[at] === EXTENSION) {
      const end = blocksEnd(bytes, at + 2);
      if (end === null) break;
      if (bytes[at + 1] === CONTROL && bytes[at + 2] === 4) control = controlAt(view, bytes, at);
      if (bytes[at + 1] === APPLICATION) plays = playsAt(view, bytes, at) ?? plays;
      at = end;
    } else if (bytes[at] === IMAGE && at + 10 < bytes.length) {
      const start = at;
      const end = blocksEnd(bytes, start + 10 + paletteLength(bytes[start + 9]) + 1);
      if (end === null) break;
      frames.push(frameAt(view, bytes, { start, end, colours, control }));
      control = PLAIN;
      at = end;
    } else break;
  }
  const [first] = frames;
  // Engines enlarge a canvas that is too small for its first frame.
  const width = Math.max(view.getUint16(6, true), first ? first.x + first.width : 0);
  const height = Math.max(view.getUint16(8, true), first ? first.y + first.height : 0);
  return { type: "image/gif", width, height, frames, plays };
}

function frameAt(view: DataView, bytes: FileBytes, { start, end, colours, control }: { start: number; end: number; colours: FileBytes; control: Control }): AnimationFrame {
  const [x, y, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(start + offset, true)) as [number, number, number, number];
  const file = () => {
    const header = bytes.slice(0, HEADER);
    header.set(new TextEncoder().encode("GIF89a"));
    // The canvas has the size of the frame, which begins in its corner.
    header.set(bytes.subarray(start + 5, start + 9), 6);
    const image = bytes.slice(start, end);
    image.fill(0, 1, 5);
    return [header, colours, control.bytes, image, Uint8Array.of(END)];
  };
  return { x, y, width, height, duration: control.duration, disposal: control.disposal, isBlended: true, file };
}

function controlAt(view: DataView, bytes: FileBytes, at: number): Control {
  const flags = bytes[at + 3] ?? 0;
  const own = bytes.slice(at, at + 8);
  // Only the transparent colour is kept.
  own[3] = flags & 1;
  return { disposal: DISPOSALS[(flags >> 2) & 7] ?? "keep", duration: frameDuration(view.getUint16(at + 4, true) * 10), bytes: own };
}

/** Returns the number of plays that a loop extension states. */
function playsAt(view: DataView, bytes: FileBytes, at: number): number | null {
  const name = String.fromCharCode(...bytes.subarray(at + 3, at + 14));
  if (!/^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(name) || bytes[at + 14] !== 3 || bytes[at + 15] !== 1) return null;
  const repeats = view.getUint16(at + 16, true);
  return repeats === 0 ? 0 : repeats + 1;
}

function paletteLength(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/** Returns the end of a sequence of blocks; null if it is not in the file. */
function blocksEnd(bytes: FileBytes, from: number): number | null {
  let at = from;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return null;
}
