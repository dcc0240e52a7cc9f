// Which row of a list single keys mean: the one that has the focus. Where none has it, the first press of a key brings
// it to the row that had it last, or to the first: nothing happens to a row that one does not see marked.
import type { Attachment } from "svelte/attachments";
import { handOn } from "./keep-focus";

const ROW = "[data-row]";
/** What of a row takes the focus. */
const MAIN = "[data-row-main]";

export class RowCursor {
  #list: HTMLElement | null = null;
  #last: string | null = null;

  /** `{@attach cursor.list}` on what holds the rows. A row has its name as `data-row`, and in it something with `data-row-main`. */
  readonly list: Attachment<HTMLElement> = (list) => {
    this.#list = list;
    const onFocusIn = ({ target }: FocusEvent) => {
      this.#last = (target instanceof Element ? rowOf(target) : null) ?? this.#last;
    };
    list.addEventListener("focusin", onFocusIn);
    return () => {
      list.removeEventListener("focusin", onFocusIn);
      if (this.#list === list) this.#list = null;
    };
  };

  /** The row that has the focus; where there is only one, that one. Null where none was meant yet: it has the focus now. */
  take(): string | null {
    const rows = this.#rows();
    const [only] = rows;
    const focused = this.#focused(rows);
    if (focused >= 0) return name(rows[focused]);
    if (rows.length === 1) return name(only);
    focusOn(rows[this.#lastOf(rows)] ?? only);
    return null;
  }

  /** To the next row (1) or the one before (-1); from outside of the list, to where one was. */
  move(by: 1 | -1): void {
    const rows = this.#rows();
    const focused = this.#focused(rows);
    const last = this.#lastOf(rows);
    const to = focused >= 0 ? focused + by : Math.max(0, last);
    focusOn(rows[Math.min(rows.length - 1, Math.max(0, to))]);
  }

  /** To a row; the focus stays where it is if there is no such row. */
  goTo(row: string): void {
    const found = this.#rows().find((one) => name(one) === row);
    found?.scrollIntoView({ block: "nearest" });
    focusOn(found);
  }

  /** Where a row stands, for when it is gone. */
  placeOf(row: string): number {
    return this.#rows().findIndex((element) => name(element) === row);
  }

  /** The row that stands now where another one went takes over the focus, unless that is somewhere else by now. */
  goOnAt(place: number): void {
    const rows = this.#rows();
    handOn(rows[Math.min(place, rows.length - 1)]?.querySelector(MAIN) ?? null);
  }

  #rows(): HTMLElement[] {
    return [...(this.#list?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  }

  #focused(rows: readonly HTMLElement[]): number {
    return rows.findIndex((row) => row.contains(document.activeElement));
  }

  #lastOf(rows: readonly HTMLElement[]): number {
    return rows.findIndex((row) => name(row) === this.#last);
  }
}

function rowOf(element: Element): string | null {
  return element.closest<HTMLElement>(ROW)?.dataset["row"] ?? null;
}

function name(row: HTMLElement | undefined): string | null {
  return row?.dataset["row"] ?? null;
}

function focusOn(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>(MAIN)?.focus();
}
