// How light a picture is, and how much of each colour it has. Pure: pixels in, numbers out.

export interface Histogram {
  /** How many pixels there are of each of 256 values. */
  luma: Uint32Array;
  red: Uint32Array;
  green: Uint32Array;
  blue: Uint32Array;
  /** Of all that can be seen. */
  pixels: number;
}

/** Parts of all pixels. */
export interface Tones {
  dark: number;
  middle: number;
  light: number;
  black: number;
  white: number;
}

/** Darker than the first third of the values is dark, lighter than the last one light. */
const THIRDS = [85, 170] as const;
/** Columns of a curve: each is four values, so that few pixels make no comb. */
const COLUMNS = 64;

/** Of pixels as a canvas has them; null where nothing can be seen of them. */
export function histogramOf(data: Uint8ClampedArray): Histogram | null {
  const values = () => new Uint32Array(256);
  const found = { luma: values(), red: values(), green: values(), blue: values(), pixels: 0 };
  const count = (of: Uint32Array, value: number) => void (of[value] = (of[value] ?? 0) + 1);
  for (let at = 0; at + 3 < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [data[at], data[at + 1], data[at + 2], data[at + 3]];
    if (alpha < 128) continue;
    count(found.red, red);
    count(found.green, green);
    count(found.blue, blue);
    // ITU-R BT.709, 3.2, of the values as they are coded.
    count(found.luma, Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue));
    found.pixels += 1;
  }
  return found.pixels > 0 ? found : null;
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

/** As the path of an area that is 64 wide and 1 high. What lies at the very ends cuts off nothing but itself. */
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
