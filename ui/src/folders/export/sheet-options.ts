// The options of a contact sheet, and the layout of its pages as the server will make it (crates/contact-sheet).

export const PAGES = ["a4", "a3", "letter"] as const;
export type SheetPage = (typeof PAGES)[number];
export const CAPTIONS = ["name", "date", "rating", "caption"] as const;
export type SheetCaption = (typeof CAPTIONS)[number];

export interface SheetOptions {
  page: SheetPage;
  landscape: boolean;
  columns: number;
  rows: number;
  /** In millimetres. */
  margin: number;
  captions: readonly SheetCaption[];
  /** True to number the pages. */
  page_numbers: boolean;
}

export const SHEET_DEFAULTS: SheetOptions = { page: "a4", landscape: false, columns: 4, rows: 5, margin: 12, captions: ["name"], page_numbers: true };
export const MAX_COLUMNS = 12;
export const MAX_ROWS = 20;
export const MAX_MARGIN = 50;
/** The most characters of a title. */
export const MAX_SHEET_TITLE = 200;

const MILLIMETRE = 72 / 25.4;
const SIZES: Readonly<Record<SheetPage, readonly [number, number]>> = {
  a4: [210 * MILLIMETRE, 297 * MILLIMETRE],
  a3: [297 * MILLIMETRE, 420 * MILLIMETRE],
  letter: [612, 792],
};
const GAP = 9;
const LINE = 10.5;
const CAPTION_GAP = 3;
const TITLE_HEIGHT = 26;
const NUMBER_HEIGHT = 18;
const MIN_BOX = 24;

/** A box on a page, in points from the upper left corner. */
export interface SheetBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface SheetGeometry {
  width: number;
  height: number;
  margin: number;
  /** The boxes of the pictures of a page in reading order; the captions are below them. */
  boxes: readonly SheetBox[];
  /** The distance between the lines of a caption, and that to the first one. */
  line: number;
  captionGap: number;
}

/** Returns the layout of a page; null if there is no room for pictures. */
export function sheetGeometry({ page, landscape, columns, rows, margin, captions, page_numbers }: SheetOptions, hasTitle: boolean): SheetGeometry | null {
  const [short, long] = SIZES[page];
  const [width, height] = landscape ? [long, short] : [short, long];
  const edge = margin * MILLIMETRE;
  const lines = captionLines(captions);
  const caption = lines === 0 ? 0 : CAPTION_GAP + lines * LINE;
  const top = edge + (hasTitle ? TITLE_HEIGHT : 0);
  const inner = height - top - edge - (page_numbers ? NUMBER_HEIGHT : 0);
  const box = { width: (width - 2 * edge - GAP * (columns - 1)) / columns, height: (inner - GAP * (rows - 1)) / rows - caption };
  if (box.width < MIN_BOX || box.height < MIN_BOX) return null;
  const boxes = Array.from({ length: columns * rows }, (_, index) => ({
    x: edge + (index % columns) * (box.width + GAP),
    y: top + Math.floor(index / columns) * (box.height + caption + GAP),
    ...box,
  }));
  return { width, height, margin: edge, boxes, line: LINE, captionGap: CAPTION_GAP };
}

/** Returns the number of lines below a picture. */
export function captionLines(captions: readonly SheetCaption[]): number {
  const facts = captions.includes("date") || captions.includes("rating");
  return Number(captions.includes("name")) + Number(facts) + (captions.includes("caption") ? 2 : 0);
}

/** Returns the name of the file, with its extension. */
export function sheetName(typed: string): string {
  const name = typed.trim();
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
