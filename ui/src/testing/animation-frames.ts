// Answers of the server with frames of an animated AVIF.

const chunk = (name: string, data: readonly number[]) => [...Buffer.from(name), data.length & 255, data.length >> 8, 0, 0, ...data, ...(data.length % 2 ? [0] : [])];
const numbers = (all: readonly number[]) => all.flatMap((one) => [one & 255, one >> 8, 0, 0]);

/** Returns an animated WebP of 40 × 30 pixels that is shown three times, with a table if there are numbers for it. */
export function animationPart(table: readonly number[], frames: number): Uint8Array<ArrayBuffer> {
  const frame = chunk("ANMF", [0, 0, 0, 0, 0, 0, 39, 0, 0, 29, 0, 0, 200, 0, 0, 2, ...chunk("VP8 ", [1, 2, 3, 4])]);
  const head = [...chunk("VP8X", [2, 0, 0, 0, 39, 0, 0, 29, 0, 0]), ...chunk("ANIM", [0, 0, 0, 0, 3, 0])];
  const ofTable = table.length === 0 ? [] : chunk("FRMS", numbers(table));
  return new Uint8Array(chunk("RIFF", [...Buffer.from("WEBP"), ...head, ...ofTable, ...Array.from({ length: frames }, () => frame).flat()]));
}
