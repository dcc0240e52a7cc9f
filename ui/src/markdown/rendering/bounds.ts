// Limits on the work that a text may cause in the browser. Ordinary pages stay far below them. Omissions are reported
// in the page itself.

/** The maximum number of columns of a table. */
export const MAX_COLUMNS = 200;
/** The maximum number of empty cells that pad the rows of a page's tables. */
export const SPARE_CELLS = 20_000;
/** The maximum number of footnotes of a page. */
export const MAX_NOTES = 2_000;
/** The maximum number of mentions of a page's footnotes; each has a link of its own back to its place. */
export const MAX_MENTIONS = 5_000;
/** The maximum depth of nested elements. */
export const DEEPEST = 100;
/** The maximum depth of nested brackets in the text of a link. */
export const DEEPEST_LABEL = 50;
/** The maximum length of a footnote's label in characters, as for a link's label (CommonMark). */
export const MAX_LABEL_LENGTH = 999;

/** The maximum length of a diagram's source, in characters. */
export const MAX_DIAGRAM_LENGTH = 20_000;
/** The maximum number of a diagram's lines and statements. The time for a layout grows faster than their number. */
export const MAX_DIAGRAM_STATEMENTS = 300;
/** The greatest sum of the numbers in a diagram of which each number is a count of parts. */
export const MAX_DIAGRAM_COUNT = 9_999;
/** The time for which one diagram may keep the page busy, in milliseconds. */
export const DIAGRAM_TIME = 3_000;
/** The maximum number of statements of all diagrams that are drawn in one go. */
export const MAX_DRAWN_STATEMENTS = 3_000;
/** The time after which no further diagrams are drawn in one go, in milliseconds. */
export const DRAWING_TIME = 5_000;

/** The content that is left out of a page, as reported there. */
export type Omission = { kind: "columns" | "notes" | "mentions"; count: number; shown: number } | { kind: "nesting" };
