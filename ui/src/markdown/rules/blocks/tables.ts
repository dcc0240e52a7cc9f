// Tables: each in a scrollable box, with columns aligned by classes (pages carry no styles of their own), and limited
// to the size that a browser can lay out.
import type { MarkdownIt, StateBlock, Token } from "markdown-it";
import { MAX_COLUMNS } from "../../rendering/bounds";
import { pageOf } from "../../rendering/context";
import { reportOmission } from "../../rendering/omissions";

/** A markdown-it plugin. */
export function tables(md: MarkdownIt): void {
  boundCells(md);
  md.renderer.rules["table_open"] = (tokens, index, options, _env, self) =>
    `<div class="table-scroll">${self.renderToken(tokens, index, options)}`;
  md.renderer.rules["table_close"] = (tokens, index, options, env, self) => {
    const count = Number(tokens[index]?.meta?.["columns"] ?? 0);
    const report = count > MAX_COLUMNS ? reportOmission(pageOf(env).words, { kind: "columns", count, shown: MAX_COLUMNS }) : "";
    return `${self.renderToken(tokens, index, options)}${report}</div>\n`;
  };
  md.core.ruler.push("table_alignment", (state) => {
    for (const token of state.tokens) if (token.type === "th_open" || token.type === "td_open") align(token);
  });
}

function align(cell: Token): void {
  const side = /^text-align:(left|center|right)$/.exec(String(cell.attrGet("style") ?? ""))?.[1];
  if (side === undefined) return;
  cell.attrs = (cell.attrs ?? []).filter(([name]) => name !== "style");
  cell.attrJoin("class", `align-${side}`);
}

/** Makes the block state drop excess cells while the rule for tables pushes them. */
function boundCells(md: MarkdownIt): void {
  const Plain = md.block.State;
  md.block.State = class extends Plain {
    /** The cells of the table that is being parsed. */
    #cells: TableCells | null = null;
    #dropped: Token | null = null;

    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      if (type === "table_open") this.#cells = new TableCells(this);
      if (this.#cells?.drops(type)) return (this.#dropped ??= new this.Token(type, tag, nesting));
      const token = super.push(type, tag, nesting);
      if (type === "table_close" && this.#cells !== null) {
        token.meta = this.#cells.meta;
        this.#cells = null;
      }
      return token;
    }
  };
}

const CELL = new Set(["th_open", "th_close", "td_open", "td_close", "inline"]);

/** The metadata in the last token of a table. */
export interface TableMeta extends Record<string, unknown> {
  columns: number;
  /** True if rows are shorter than the head, because the page has too many empty cells. */
  isRagged: boolean;
}

class TableCells {
  readonly meta: TableMeta = { columns: 0, isRagged: false };
  #column = 0;
  /** An upper bound on the number of cells that are written in the row. */
  #written = 0;
  #isDropped = false;

  constructor(private readonly state: StateBlock) {}

  /** True if the token to be pushed belongs to an excess cell. */
  drops(type: string): boolean {
    if (type === "tr_open") this.#column = 0;
    if (type === "th_open") this.meta.columns += 1;
    if (type === "th_open" || type === "td_open") this.#begin(type === "td_open");
    return this.#isDropped && CELL.has(type);
  }

  #begin(mayBeEmpty: boolean): void {
    this.#column += 1;
    this.#isDropped = this.#column > MAX_COLUMNS;
    if (this.#column === 1) this.#written = mayBeEmpty ? this.#barsInRow() + 1 : Infinity;
    if (this.#isDropped || this.#column <= this.#written) return;
    const page = pageOf(this.state.env);
    page.spareCells -= 1;
    if (page.spareCells >= 0) return;
    this.#isDropped = true;
    this.meta.isRagged = true;
  }

  #barsInRow(): number {
    const { tokens, src, bMarks, eMarks } = this.state;
    const line = tokens.at(-1)?.map?.[0] ?? 0;
    const [end = 0, begin = 0] = [eMarks[line], bMarks[line]];
    let count = 0;
    for (let at = src.indexOf("|", begin); at >= 0 && at < end; at = src.indexOf("|", at + 1)) count += 1;
    return count;
  }
}
