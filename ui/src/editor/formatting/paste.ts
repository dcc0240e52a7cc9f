// Pasting: an address over a selection becomes a link, and formatted text becomes Markdown. Ctrl Shift V pastes plain text.
import { EditorSelection, type Extension, Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { isAddress } from "./inline";

/** The longest HTML that is converted, in characters: more of it would freeze the page, and is pasted as plain text. */
export const MAX_HTML = 1_000_000;

/** HTML with one of these says more than its text. */
const FORMATTED = /<(?:a|b|strong|i|em|h[1-6]|[ou]l|li|table|pre|code|blockquote|img|del|s|hr)\b/i;
/** An editor of code copies its colours: all lines are in one block with a font of equal widths. */
const CODE_EDITOR = /<(?:div|pre)[^>]*font-family:[^>"]*(?:mono|consol|courier)/i;

/** Converts HTML; null if it is text without formatting. Loaded with the first use. */
export type ToMarkdown = (html: string) => string | null;

export interface PasteReports {
  /** Formatted text could not be converted, and was pasted as plain text. */
  onError: (error: unknown) => void;
  /** Formatted text is too long to be converted, and is pasted as plain text. */
  onTooLong: () => void;
}

export function paste(load: () => Promise<ToMarkdown>, { onError, onTooLong }: PasteReports): Extension {
  let isPlain = false;
  return Prec.high(
    EditorView.domEventHandlers({
      keydown(event) {
        isPlain = event.shiftKey && event.key.toLowerCase() === "v";
        return false;
      },
      paste({ clipboardData }, view) {
        const wasPlain = isPlain;
        isPlain = false;
        if (clipboardData === null || clipboardData.files.length > 0 || view.state.readOnly) return false;
        const text = clipboardData.getData("text/plain");
        if (wasPlain || text === "") return false;
        if (link(view, text.trim())) return true;
        const html = clipboardData.getData("text/html");
        if (!FORMATTED.test(html) || CODE_EDITOR.test(html)) return false;
        if (html.length > MAX_HTML) {
          onTooLong();
          return false;
        }
        // The text that is pasted replaces the selection at the time of the paste, also if the converter is loaded first.
        void load()
          .then((toMarkdown) => insert(view, toMarkdown(html) ?? text))
          .catch((error: unknown) => {
            insert(view, text);
            onError(error);
          });
        return true;
      },
    }),
  );
}

/** Makes a link of a selection within one line. */
function link(view: EditorView, address: string): boolean {
  const { state } = view;
  const isText = ({ from, to }: { from: number; to: number }) => from < to && !/[\n[\]]/.test(state.sliceDoc(from, to)) && !isAddress(state.sliceDoc(from, to));
  if (!isAddress(address) || !state.selection.ranges.every(isText)) return false;
  const destination = /[()]/.test(address) ? `<${address}>` : address;
  const spec = state.changeByRange(({ from, to }) => {
    const text = `[${state.sliceDoc(from, to)}](${destination})`;
    return { changes: { from, to, insert: text }, range: EditorSelection.cursor(from + text.length) };
  });
  view.dispatch(state.update(spec, { scrollIntoView: true, userEvent: "input.paste" }));
  return true;
}

function insert(view: EditorView, text: string): void {
  if (!view.dom.isConnected) return;
  const { state } = view;
  view.dispatch({ ...state.replaceSelection(state.toText(text)), scrollIntoView: true, userEvent: "input.paste" });
}
