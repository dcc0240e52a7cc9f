// The frames of an animated WebP.
import { type Animation, type AnimationFrame, type FileBytes, frameDuration, nameAt } from "./animation";

const [ANIMATED, ALPHA, PROFILE] = [0x02, 0x10, 0x20];

interface Chunk {
  name: string;
  data: FileBytes;
  whole: FileBytes;
}

/** Returns the frames that are complete; null if it is no animated WebP. */
export function readWebp(bytes: FileBytes): Animation | null {
  if (!isAnimatedWebp(bytes)) return null;
  const chunks = chunksOf(bytes.subarray(12));
  const header = chunks[0]?.data;
  const control = chunks.find(({ name }) => name === "ANIM")?.data;
  if (header === undefined || header.length < 10 || control === undefined || control.length < 6) return null;
  const profile = chunks.find(({ name }) => name === "ICCP")?.whole ?? null;
  return {
    type: "image/webp",
    width: number24(header, 4) + 1,
    height: number24(header, 7) + 1,
    frames: chunks.filter(({ name, data }) => name === "ANMF" && data.length > 16).map(({ data }) => frameOf(data, profile)),
    plays: (control[4] ?? 0) | ((control[5] ?? 0) << 8),
  };
}

/** Returns the contents of the first chunk with a name. */
export function chunkOf(file: FileBytes, wanted: string): FileBytes | null {
  return chunksOf(file.subarray(12)).find(({ name }) => name === wanted)?.data ?? null;
}

/** True if the start of a file is that of an animated WebP. */
export function isAnimatedWebp(head: FileBytes): boolean {
  return nameAt(head, 0) === "RIFF" && nameAt(head, 8) === "WEBP" && nameAt(head, 12) === "VP8X" && ((head[20] ?? 0) & ANIMATED) !== 0;
}

function frameOf(data: FileBytes, profile: FileBytes | null): AnimationFrame {
  const flags = data[15] ?? 0;
  const file = () => {
    const parts = chunksOf(data.subarray(16)).filter(({ name }) => name === "ALPH" || name === "VP8 " || name === "VP8L");
    const hasAlpha = parts.some(({ name }) => name !== "VP8 ");
    const header = new Uint8Array(18);
    header.set(new TextEncoder().encode("VP8X"));
    header[4] = 10;
    header[8] = (hasAlpha ? ALPHA : 0) | (profile === null ? 0 : PROFILE);
    header.set(data.subarray(6, 12), 12);
    return riff([header, ...(profile === null ? [] : [profile]), ...parts.map(({ whole }) => whole)]);
  };
  return {
    x: number24(data, 0) * 2,
    y: number24(data, 3) * 2,
    width: number24(data, 6) + 1,
    height: number24(data, 9) + 1,
    duration: frameDuration(number24(data, 12)),
    disposal: flags & 1 ? "clear" : "keep",
    isBlended: (flags & 2) === 0,
    file,
  };
}

/** Returns a file of chunks, each of an even length. */
function riff(chunks: readonly FileBytes[]): FileBytes[] {
  const head = new Uint8Array(12);
  head.set(new TextEncoder().encode("RIFF    WEBP"));
  new DataView(head.buffer).setUint32(4, 4 + chunks.reduce((sum, { length }) => sum + length, 0), true);
  return [head, ...chunks];
}

/** Returns the chunks that are complete. */
function chunksOf(bytes: FileBytes): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (at + 8 + length > bytes.length) break;
    const whole = new Uint8Array(end - at);
    whole.set(bytes.subarray(at, Math.min(end, bytes.length)));
    chunks.push({ name: nameAt(bytes, at), data: bytes.subarray(at + 8, at + 8 + length), whole });
    at = end;
  }
  return chunks;
}

function number24(bytes: FileBytes, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
