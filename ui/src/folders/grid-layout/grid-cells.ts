// The cells of the grid in the document, keyed by entry: an element, its focus and its image never pass to another
// file.
import type { FolderEntry } from "../../api/backend";
import { encodeName } from "../../api/names";
import { cellsOfSection, leftOf, type Shape } from "./grid-geometry";
import type { DrawnSection } from "./grid-sections";

export interface GridCell {
  /** Unique among the drawn cells. */
  key: string;
  index: number;
  row: number;
  column: number;
  /** The offset inside the grid, in pixels. */
  left: number;
  /** Undefined until its chunk of the folder was read. */
  entry: FolderEntry | undefined;
}

export interface CellSection extends DrawnSection {
  cells: GridCell[];
}

/** Fills the drawn sections with their cells. A cell that did not change is the same object as in the last call. */
export function cellSections(): (shape: Shape, sections: readonly DrawnSection[], entryAt: (index: number) => FolderEntry | undefined) => CellSection[] {
  let last = new Map<string, GridCell>();
  return (shape, sections, entryAt) => {
    const drawn = new Map<string, GridCell>();
    const cellOf = (row: number, column: number, index: number): GridCell => {
      const entry = entryAt(index);
      const name = entry ? `/${encodeName(entry)}` : `${index}`;
      // A name may occur twice while parts of two readings coexist.
      const key = drawn.has(name) ? `${name} ${index}` : name;
      const cell = { key, index, row, column, left: leftOf(shape, column), entry };
      const before = last.get(key);
      const same = before && isSame(before, cell) ? before : cell;
      drawn.set(key, same);
      return same;
    };
    const filled = sections.map((section) => ({ ...section, cells: section.rows.flatMap((row) => cellsIn(shape, section, row, cellOf)) }));
    last = drawn;
    return filled;
  };
}

function cellsIn(shape: Shape, { section }: DrawnSection, row: number, cellOf: (row: number, column: number, index: number) => GridCell): GridCell[] {
  const { first, end } = cellsOfSection(shape, section, row);
  return Array.from({ length: end - first }, (_, at) => cellOf(row, section.column + at, first + at));
}

function isSame(one: GridCell, other: GridCell): boolean {
  return one.index === other.index && one.row === other.row && one.column === other.column && one.left === other.left && one.entry === other.entry;
}
