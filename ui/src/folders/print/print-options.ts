// The layout of printed pictures.
import { CAPTIONS, type SheetCaption } from "../export/sheet-options";

export const COUNTS = [1, 2, 4, 9] as const;
export type PicturesPerPage = (typeof COUNTS)[number];
export const PAPERS = ["a4", "letter"] as const;
export type Paper = (typeof PAPERS)[number];
export const FITS = ["fit", "fill"] as const;
export type Fit = (typeof FITS)[number];
export { CAPTIONS };

export interface PrintOptions {
  perPage: PicturesPerPage;
  paper: Paper;
  landscape: boolean;
  /** Shows the whole picture, or fills its place with the middle of it. */
  fit: Fit;
  captions: readonly SheetCaption[];
}

export const PRINT_DEFAULTS: PrintOptions = { perPage: 1, paper: "a4", landscape: false, fit: "fit", captions: [] };

/** The most pictures that are printed at once, as all of them are in memory. */
export const MAX_PRINTED = 200;

/** The margins beside the text and above it, in millimetres, as `styles/print.css` and the window's shell set them. */
const MARGINS = [16, 18] as const;
const SIZES: Readonly<Record<Paper, readonly [number, number]>> = { a4: [210, 297], letter: [215.9, 279.4] };
/** The part of a page's height that is used: without a rest, rounding would make an empty page of each. */
const USED = 0.985;
/** The longer side of the pictures, in pixels, which is a size of thumbnails. */
const EDGES: Readonly<Record<PicturesPerPage, number>> = { 1: 2048, 2: 1536, 4: 1024, 9: 768 };

/** Returns the width of the printed part of a page, divided by its height. */
export function pageRatio({ paper, landscape }: Pick<PrintOptions, "paper" | "landscape">): number {
  const [short, long] = SIZES[paper];
  const [width, height] = landscape ? [long, short] : [short, long];
  return (width - 2 * MARGINS[0]) / ((height - 2 * MARGINS[1]) * USED);
}

export function edgeOf({ perPage }: Pick<PrintOptions, "perPage">): number {
  return EDGES[perPage];
}

/** Returns the numbers of columns and rows: two pictures are one below the other on a tall page. */
export function gridOf({ perPage, landscape }: Pick<PrintOptions, "perPage" | "landscape">): { columns: number; rows: number } {
  if (perPage === 2) return landscape ? { columns: 2, rows: 1 } : { columns: 1, rows: 2 };
  const side = Math.sqrt(perPage);
  return { columns: side, rows: side };
}

/** Splits into the pages. */
export function pagesOf<T>(items: readonly T[], perPage: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / perPage) }, (_, page) => items.slice(page * perPage, (page + 1) * perPage));
}
