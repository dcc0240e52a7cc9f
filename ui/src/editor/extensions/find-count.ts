// The number of matches beside the search field: "3 of 12".
import { getSearchQuery, searchPanelOpen } from "@codemirror/search";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** The maximum count: an exact larger number is of no use. */
const MAX = 1000;

export function findCount(): Extension {
  return ViewPlugin.define((view) => new Count(view), {});
}

class Count {
  readonly #element = document.createElement("span");
  #counted: { doc: EditorState["doc"]; query: ReturnType<typeof getSearchQuery>; starts: number[] } | null = null;

  constructor(view: EditorView) {
    this.#element.className = "cm-search-count";
    this.#element.dataset["testid"] = "find-count";
    this.#element.role = "status";
    this.#show(view);
  }

  update({ view }: ViewUpdate): void {
    this.#show(view);
  }

  destroy(): void {
    this.#element.remove();
  }

  #show(view: EditorView): void {
    const { state } = view;
    if (!searchPanelOpen(state)) return;
    const text = this.#textOf(state);
    if (this.#element.textContent !== text) this.#element.textContent = text;
    // The panel is created after this update, and again each time it is opened.
    if (!this.#element.isConnected) queueMicrotask(() => view.dom.querySelector(".cm-search [name=search]")?.after(this.#element));
  }

  #textOf(state: EditorState): string {
    const query = getSearchQuery(state);
    if (!query.valid) return "";
    if (this.#counted?.doc !== state.doc || !this.#counted.query.eq(query)) {
      this.#counted = { doc: state.doc, query, starts: startsOf(state, query) };
    }
    const { starts } = this.#counted;
    const at = starts.indexOf(state.selection.main.from);
    const total = starts.length > MAX ? `${MAX}+` : String(starts.length);
    return at >= 0 && !state.selection.main.empty ? state.phrase("$1 of $2", at + 1, total) : total;
  }
}

function startsOf(state: EditorState, query: ReturnType<typeof getSearchQuery>): number[] {
  const starts: number[] = [];
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done && starts.length <= MAX; next = cursor.next()) starts.push(next.value.from);
  return starts;
}
