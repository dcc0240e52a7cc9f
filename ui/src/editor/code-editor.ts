// A wrapper of CodeMirror for the editor view: a text that changes, can be replaced, and reports its top line.
import { EditorState, type StateCommand, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { openSearchPanel } from "@codemirror/search";
import { editorExtensions, type EditorParts } from "./extensions";
import { insertPlaceholder, type Place } from "./extensions/upload-placeholders";
import { openReplace } from "./extensions/find";
import { placeAt } from "./extensions/file-handlers";
import { isInTable } from "./formatting/tables";
import { cursorFrom, positionOf } from "./preview/text-place";

export interface CodeEditorOptions extends EditorParts {
  parent: HTMLElement;
  doc: Text;
  /** The initial line at the upper edge, as a fraction; the cursor is at the first text from there. */
  line?: number;
  /** The initial place of the cursor; null for the one that `line` gives. */
  cursor?: number | null;
  onChange: (doc: Text) => void;
  onBlur: () => void;
  /** Called with every change of the text or the selection. */
  onTable?: (isInTable: boolean) => void;
  /** The line at the upper edge, as a fraction: 2.5 is the middle of the third. */
  onScroll: (line: number) => void;
}

export class CodeEditor {
  readonly #view: EditorView;
  readonly #gone = new AbortController();

  constructor({ parent, doc, line = 0, cursor = null, onChange, onBlur, onScroll, onTable, ...parts }: CodeEditorOptions) {
    const at = positionOf(doc, line);
    this.#view = new EditorView({
      parent,
      ...(at > 0 && { scrollTo: EditorView.scrollIntoView(at, { y: "start", yMargin: 0 }) }),
      state: EditorState.create({
        doc,
        selection: { anchor: cursor ?? cursorFrom(doc, line) },
        extensions: [
          editorExtensions(parts),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc);
            if (update.docChanged || update.selectionSet) onTable?.(isInTable(update.state));
          }),
          EditorView.domEventHandlers({
            blur: () => {
              onBlur();
            },
          }),
        ],
      }),
    });
    this.#view.scrollDOM.addEventListener("scroll", () => onScroll(this.topLine()), { passive: true });
  }

  /** For copying by hand. */
  selectAll(): void {
    this.#view.dispatch({ selection: { anchor: 0, head: this.#view.state.doc.length } });
    this.focus();
  }

  /** Replaces the text, as one undoable step. The cursor stays in its line, or at the end of the text. */
  replace(text: string): void {
    const { state } = this.#view;
    const { head } = state.selection.main;
    const line = head === state.doc.length ? Infinity : state.doc.lineAt(head).number - 1;
    const insert = state.toText(text);
    this.#view.dispatch({
      changes: { from: 0, to: state.doc.length, insert },
      selection: { anchor: cursorFrom(insert, line) },
      scrollIntoView: true,
      userEvent: "input",
    });
    this.focus();
  }

  /** Changes the text to another one, as one undoable step. The cursor and the focus stay. */
  change(text: string): void {
    const old = this.#view.state.doc.toString();
    let [start, end] = [0, 0];
    while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
    while (end < Math.min(old.length, text.length) - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    const { state } = this.#view;
    this.#view.dispatch({ changes: { from: start, to: old.length - end, insert: state.toText(text.slice(start, text.length - end)) }, userEvent: "input.rewrite" });
  }

  /** Inserts at the cursor, in place of the selection. Afterwards the cursor is at `cursor` in the text, or behind it. */
  insert(text: string, cursor: number | null = null): void {
    const { state } = this.#view;
    const { from } = state.selection.main;
    const selection = cursor === null ? {} : { selection: { anchor: from + cursor } };
    this.#view.dispatch({ ...state.replaceSelection(state.toText(text)), ...selection, scrollIntoView: true, userEvent: "input" });
    this.focus();
  }

  /** Inserts between two adjacent texts, at their first occurrence; false if there is none. */
  writeBetween(before: string, after: string, text: string): boolean {
    const { state } = this.#view;
    const at = state.doc.toString().indexOf(before + after);
    if (at < 0) return false;
    this.#view.dispatch({ changes: { from: at + before.length, insert: state.toText(text) }, userEvent: "input" });
    return true;
  }

  /** The selected text, without the white space around it, and its position; null if there is none. */
  selected(): { at: number; text: string } | null {
    const { state } = this.#view;
    const { from, to } = state.selection.main;
    const selected = state.sliceDoc(from, to);
    const text = selected.trim();
    return text === "" ? null : { at: from + selected.indexOf(text), text };
  }

  /** Replaces a text, at its position or at its first occurrence; false if it is gone. */
  replaceText({ at, text }: { at: number; text: string }, by: string): boolean {
    const { state } = this.#view;
    const isThere = state.sliceDoc(at, at + text.length) === text;
    const from = isThere ? at : state.doc.toString().indexOf(text);
    if (from < 0) return false;
    const insert = state.toText(by);
    this.#view.dispatch({ changes: { from, to: from + text.length, insert }, selection: { anchor: from + insert.length }, scrollIntoView: true, userEvent: "input" });
    this.focus();
    return true;
  }

  /** Runs a command of formatting. */
  format(command: StateCommand): void {
    command(this.#view);
    this.focus();
  }

  /** The element in which the keys of formatting apply. */
  get element(): Element {
    return this.#view.contentDOM;
  }

  find(): void {
    openSearchPanel(this.#view);
  }

  replaceFound(): void {
    openReplace(this.#view);
  }

  focus(): void {
    this.#view.focus();
  }

  /**
   * Moves the cursor to the end of the text; returns the position and the text that puts an insertion into its own
   * paragraph.
   */
  toEnd(): { at: number; lead: string } {
    const { doc } = this.#view.state;
    this.#view.dispatch({ selection: { anchor: doc.length }, scrollIntoView: true });
    const [last, before] = [doc.lines, doc.lines - 1].map((line) => (line > 0 ? doc.line(line).text.trim() : ""));
    return { at: doc.length, lead: last !== "" ? "\n\n" : before !== "" ? "\n" : "" };
  }

  /** Adds a paragraph at the end; the cursor stays. */
  append(text: string): void {
    const { state } = this.#view;
    const end = state.doc.toString().replace(/\n+$/, "").length;
    const insert = state.toText(`${end === 0 ? "" : "\n\n"}${text.trim()}\n`);
    this.#view.dispatch({ changes: { from: end, to: state.doc.length, insert }, userEvent: "input" });
  }

  /** The cursor's position: after the selection. */
  cursor(): number {
    return this.#view.state.selection.main.to;
  }

  /** The position in the text at a point of the window, or the cursor's. */
  placeAt(x: number, y: number): number {
    return placeAt(this.#view, x, y);
  }

  /** Reserves a place for a later insertion. */
  hold(at: number): Place {
    return insertPlaceholder(this.#view, at);
  }

  /** Resolves when no input method is composing. */
  async quiet(): Promise<void> {
    const { contentDOM } = this.#view;
    while (this.#view.composing && !this.#gone.signal.aborted) {
      await new Promise((resolve) => {
        contentDOM.addEventListener("compositionend", resolve, { once: true });
        this.#gone.signal.addEventListener("abort", resolve, { once: true });
      });
      // The editor accepts the composed text after its own handler of the end.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  topLine(): number {
    return this.#lineAt(this.#view.scrollDOM.getBoundingClientRect().top);
  }

  bottomLine(): number {
    return this.#lineAt(this.#view.scrollDOM.getBoundingClientRect().bottom);
  }

  /** The line at a height of the window, as a fraction. */
  #lineAt(y: number): number {
    const { state, documentTop } = this.#view;
    const edge = y - documentTop;
    const block = this.#view.lineBlockAtHeight(Math.max(0, edge));
    const fraction = block.height === 0 ? 0 : Math.min(1, Math.max(0, (edge - block.top) / block.height));
    return state.doc.lineAt(block.from).number - 1 + fraction;
  }

  destroy(): void {
    this.#gone.abort();
    this.#view.destroy();
  }
}
