// The options of an export of pictures, and the names of the new files.
import type { FolderEntry } from "../../api/backend";

export const FORMATS = ["jpeg", "png", "webp", "webp_lossless", "avif", "tiff"] as const;
export type ExportFormat = (typeof FORMATS)[number];
export const KEPT = ["all", "without_place", "none"] as const;
export type KeptMetadata = (typeof KEPT)[number];

export interface ExportOptions {
  format: ExportFormat;
  /** The maximum of the longer side, in pixels; null to keep the size. */
  edge: number | null;
  /** 1 to 100, for JPEG, lossy WebP and AVIF. */
  quality: number;
  sharpen: boolean;
  metadata: KeptMetadata;
  /** The names without extensions: `{name}` is the picture's, `{number}` its place among all, `{date}` and `{time}` when it was taken. */
  pattern: string;
  /** True to add a number to a name that is taken. */
  numbered: boolean;
}

export const DEFAULTS: ExportOptions = { format: "jpeg", edge: null, quality: 90, sharpen: false, metadata: "all", pattern: "{name}", numbered: true };

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = { jpeg: "jpg", png: "png", webp: "webp", webp_lossless: "webp", avif: "avif", tiff: "tif" };
/** Returns true if a format has a quality. */
export function isLossy(format: ExportFormat): boolean {
  return format === "jpeg" || format === "webp" || format === "avif";
}

/** The longest side of a picture, in pixels. */
const MAX_EDGE = 65_535;

/** Returns a whole number within a range from a text; null if it is none. */
export function wholeNumber(text: string, max: number): number | null {
  const digits = text.trim();
  const number = /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
  return number >= 1 && number <= max ? number : null;
}

/** Returns the side that was typed: null keeps the size; undefined if it is invalid. */
export function edgeFrom(text: string): number | null | undefined {
  return text.trim() === "" ? null : (wholeNumber(text, MAX_EDGE) ?? undefined);
}

/**
 * Returns the name of the first new file, as the server will make it; `taken` is the time at which the picture was taken,
 * of which an unknown one leaves its placeholders.
 */
export function exampleName({ pattern, format }: Pick<ExportOptions, "pattern" | "format">, name: string, count: number, taken: string | null = null): string {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const number = "1".padStart(String(count).length, "0");
  const [, date, time] = TAKEN.exec(taken ?? "") ?? [];
  const text = pattern
    .replaceAll("{number}", number)
    .replaceAll("{date}", date ?? "{date}")
    .replaceAll("{time}", time?.replaceAll(":", "-") ?? "{time}")
    .replaceAll("{name}", () => stem);
  return `${text.trim()}.${EXTENSIONS[format]}`;
}

const TAKEN = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/;

/** Returns the first picture without the date that a pattern needs. */
export function undatedFor(pattern: string, entries: readonly FolderEntry[]): FolderEntry | undefined {
  return /\{(date|time)\}/.test(pattern) ? entries.find(({ taken }) => !TAKEN.test(taken ?? "")) : undefined;
}
