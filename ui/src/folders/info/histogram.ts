// The histograms of a picture's luminance and colours. Pure: pixels in, numbers out.

export interface Histogram {
  /** The number of pixels with each of 256 values. */
  luma: Uint32Array;
  red: Uint32Array;
  green: Uint32Array;
  blue: Uint32Array;
  /** The number of visible pixels. */
  pixels: number;
}

/** The tones as shares of all pixels. */
export interface Tones {
  dark: number;
  middle: number;
  light: number;
  black: number;
  white: number;
}

/** The bounds of the tones: values below the first third are dark, values above the last one light. */
const THIRDS = [85, 170] as const;
/** The number of columns of a curve. Each covers four values, which smooths the curve of a small picture. */
const COLUMNS = 64;

/** Computes the histograms from canvas pixels; null if no pixel is visible. */
export function histogramOf(data: Uint8ClampedArray): Histogram | null {
  const values = () => new Uint32Array(256);
  const counts = { luma: values(), red: values(), green: values(), blue: values(), pixels: 0 };
  const count = (of: Uint32Array, value: number) => void (of[value] = (of[value] ?? 0) + 1);
  for (let at = 0; at + 3 < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
    if (alpha < 128) continue;
    count(counts.red, red);
    count(counts.green, green);
    count(counts.blue, blue);
    // ITU-R BT.709, 3.2, applied to the coded values.
    count(counts.luma, Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue));
    counts.pixels += 1;
  }
  return counts.pixels > 0 ? counts : null;
}

export function tonesOf({ luma, pixels }: Histogram): Tones {
  const part = (from: number, to: number) => luma.subarray(from, to).reduce((sum, count) => sum + count, 0) / pixels;
  return {
    dark: part(0, THIRDS[0]),
    middle: part(THIRDS[0], THIRDS[1] + 1),
    light: part(THIRDS[1] + 1, 256),
    black: part(0, 1),
    white: part(255, 256),
  };
}

/**
 * Returns the path of an area that is 64 wide and 1 high. The outermost columns don't affect the scale, so peaks there
 * only clip themselves.
 */
export function areaOf(values: Uint32Array): string {
  const columns = Array.from({ length: COLUMNS }, (_, column) => {
    const width = 256 / COLUMNS;
    return values.subarray(column * width, (column + 1) * width).reduce((sum, count) => sum + count, 0);
  });
  const highest = Math.max(...columns.slice(1, -1)) || Math.max(...columns, 1);
  const steps = columns.map((count) => `V${round(1 - Math.min(1, count / highest))}h1`);
  return `M0 1${steps.join("")}V1Z`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
