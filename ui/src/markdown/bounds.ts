// Limits on the work that a text may cause in the browser. Ordinary pages stay far below them. Omissions are reported
// in the page itself.

/** The maximum number of columns of a table. */
export const MAX_COLUMNS = 200;
/** The maximum number of empty cells that pad the rows of a page's tables. */
export const SPARE_CELLS = 20_000;
/** The maximum number of footnotes of a page. */
export const MAX_NOTES = 2_000;
/** The maximum depth of nested elements. */
export const DEEPEST = 100;
/** The maximum depth of nested brackets in the text of a link. */
export const DEEPEST_LABEL = 50;
/** The maximum length of a footnote's label in characters, as for a link's label (CommonMark). */
export const MAX_LABEL_LENGTH = 999;

/** The content that is left out of a page, as reported there. */
export type Omission = { kind: "columns" | "notes"; count: number; shown: number } | { kind: "nesting" };
