// The drawn rows, by section.
import { type Section, sectionsOfRow, type Shape } from "./grid-geometry";

export interface DrawnSection {
  section: Section;
  rows: number[];
}

/** Groups rows by section. The rows are in order, so those of a section are consecutive; a row may have several. */
export function drawnSections(shape: Shape, rows: readonly number[]): DrawnSection[] {
  const drawn: DrawnSection[] = [];
  for (const row of rows) {
    for (const section of sectionsOfRow(shape, row)) {
      const last = drawn.at(-1);
      if (last?.section === section) last.rows.push(row);
      else drawn.push({ section, rows: [row] });
    }
  }
  return drawn;
}
