// Bounds on what a text may ask of the browser. Pages that people write stay far below them; what is left out is reported in
// the page itself.

/** Columns of a table. */
export const MOST_COLUMNS = 200;
/** Empty cells that the rows of a page's tables are filled up with. */
export const SPARE_CELLS = 20_000;
/** Footnotes of a page. */
export const MOST_NOTES = 2_000;
/** Elements within each other. */
export const DEEPEST = 100;
/** Brackets within each other that may still be the text of a link. */
export const DEEPEST_LABEL = 50;
/** Characters of a footnote's label, as of a link's (CommonMark). */
export const LONGEST_LABEL = 999;

/** What is left out of a page, as it is reported there. */
export type LeftOut = { kind: "columns" | "notes"; count: number; shown: number } | { kind: "nesting" };
