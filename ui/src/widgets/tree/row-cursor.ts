// The row of a list that single keys apply to: the one with the focus. If none has it, the first press of a key moves
// it to the row that had it last, or to the first: a row that is not visibly marked is never changed.
import type { Attachment } from "svelte/attachments";
import { moveFocusTo } from "../dialogs/keep-focus";

const ROW = "[data-row]";
/** The focusable part of a row. */
const MAIN = "[data-row-main]";

export class RowCursor {
  #list: HTMLElement | null = null;
  #last: string | null = null;

  /**
   * `{@attach cursor.list}` on the container of the rows. A row has its name as `data-row`, and contains an element
   * with `data-row-main`.
   */
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

  /** The row with the focus, or the only row. Null if there was none yet: a row has the focus now. */
  take(): string | null {
    const rows = this.#rows();
    const [only] = rows;
    const focused = this.#focused(rows);
    if (focused >= 0) return name(rows[focused]);
    if (rows.length === 1) return name(only);
    focusOn(rows[this.#lastOf(rows)] ?? only);
    return null;
  }

  /** Moves to the next row (1) or the one before (-1); from outside of the list, to the last focused row. */
  move(by: 1 | -1): void {
    const rows = this.#rows();
    const focused = this.#focused(rows);
    const last = this.#lastOf(rows);
    const to = focused >= 0 ? focused + by : Math.max(0, last);
    focusOn(rows[Math.min(rows.length - 1, Math.max(0, to))]);
  }

  /** Moves to a row; the focus stays in place if there is no such row. */
  goTo(row: string): void {
    const element = this.#rows().find((one) => name(one) === row);
    element?.scrollIntoView({ block: "nearest" });
    focusOn(element);
  }

  /** The position of a row, for use after its removal. */
  placeOf(row: string): number {
    return this.#rows().findIndex((element) => name(element) === row);
  }

  /** Focuses the row that is now at the position of a removed one, unless the focus is elsewhere by now. */
  focusAt(place: number): void {
    const rows = this.#rows();
    moveFocusTo(rows[Math.min(place, rows.length - 1)]?.querySelector(MAIN) ?? null);
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
