// The frames of an animated PNG.
import { type Animation, type AnimationFrame, type Disposal, type FileBytes, frameDuration, nameAt } from "./animation";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The length of a chunk without its data. */
const FRAME = 12;
const DISPOSALS: readonly Disposal[] = ["keep", "clear", "restore"];
/** The chunks that describe the colours, which every frame needs. */
const COLOURS: ReadonlySet<string> = new Set(["PLTE", "tRNS", "iCCP", "gAMA", "cHRM", "sRGB", "cICP", "sBIT"]);

interface Chunk {
  name: string;
  data: FileBytes;
  whole: FileBytes;
}

/** The data of a frame, in parts. */
interface Part {
  control: FileBytes;
  data: FileBytes[];
}

/** Returns the frames; null if it is no animated PNG. */
export function readPng(bytes: FileBytes): Animation | null {
  const chunks = chunksOf(bytes);
  const header = chunks[0]?.name === "IHDR" && chunks[0].data.length === 13 ? chunks[0].data : null;
  const animation = chunks.find(({ name }) => name === "acTL")?.data;
  if (header === null || animation?.length !== 8) return null;
  const parts = partsOf(chunks);
  const colours = chunks.slice(0, chunks.findIndex(({ name }) => name === "IDAT")).filter(({ name }) => COLOURS.has(name));
  const common = colours.map(({ whole }) => whole);
  const size = viewOf(header);
  return {
    type: "image/png",
    width: size.getUint32(0),
    height: size.getUint32(4),
    frames: parts.map((part, nth) => frameOf(part, header, common, nth === 0)),
    plays: viewOf(animation).getUint32(4),
  };
}

/** True if the start of a file is that of an animated PNG. */
export function isAnimatedPng(head: FileBytes): boolean {
  const chunks = chunksOf(head);
  return chunks.slice(0, 64).some(({ name }) => name === "acTL");
}

function frameOf({ control, data }: Part, header: FileBytes, common: readonly FileBytes[], isFirst: boolean): AnimationFrame {
  const view = viewOf(control);
  const [width, height, x, y] = [4, 8, 12, 16].map((offset) => view.getUint32(offset)) as [number, number, number, number];
  const disposal = DISPOSALS[control[24] ?? 0] ?? "keep";
  const file = () => {
    const own = header.slice();
    own.set(control.subarray(4, 12));
    return [SIGNATURE, ...chunk("IHDR", own), ...common, ...data.flatMap((part) => chunk("IDAT", part)), ...chunk("IEND", new Uint8Array())];
  };
  return {
    x,
    y,
    width,
    height,
    duration: frameDuration((view.getUint16(20) * 1000) / (view.getUint16(22) || 100)),
    // Before the first frame there is nothing to restore.
    disposal: isFirst && disposal === "restore" ? "clear" : disposal,
    isBlended: control[25] === 1,
    file,
  };
}

/** Returns the frames that are complete. The default image is one only if it has a control chunk. */
function partsOf(chunks: readonly Chunk[]): Part[] {
  const parts: Part[] = [];
  for (const { name, data } of chunks) {
    if (name === "fcTL" && data.length === 26) parts.push({ control: data, data: [] });
    else if (name === "IDAT") parts.at(-1)?.data.push(data);
    else if (name === "fdAT") parts.at(-1)?.data.push(data.subarray(4));
  }
  return parts.filter(({ data }) => data.length > 0);
}

function chunksOf(bytes: FileBytes): Chunk[] {
  if (!SIGNATURE.every((byte, at) => bytes[at] === byte)) return [];
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; ) {
    const [length, name] = [view.getUint32(at), nameAt(bytes, at + 4)];
    const end = at + FRAME + length;
    // The start of a file may end within a chunk whose name alone matters.
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + length), whole: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
}

function chunk(name: string, data: FileBytes): FileBytes[] {
  const head = new Uint8Array(8);
  viewOf(head).setUint32(0, data.length);
  head.set(new TextEncoder().encode(name), 4);
  const tail = new Uint8Array(4);
  viewOf(tail).setUint32(0, crcOf([head.subarray(4), data]));
  return [head, data, tail];
}

function viewOf(bytes: FileBytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(parts: readonly FileBytes[]): number {
  let crc = 0xffffffff;
  for (const part of parts) for (const byte of part) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
