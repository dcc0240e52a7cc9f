// Typing a bracket, a quote or a mark over a selection within a line surrounds it; over several lines it replaces them.
// Nothing is closed while text is typed.
import { EditorSelection, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const CLOSING: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "<": ">",
  '"': '"',
  "'": "'",
  "`": "`",
  "*": "*",
  _: "_",
  "~": "~",
  "=": "=",
  "$": "$",
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "（": "）",
  "［": "］",
  "【": "】",
  "〈": "〉",
  "《": "》",
  "〔": "〕",
};

/** Typed twice, `*` makes bold text: the selection stays on the text. */
export function surround(): Extension {
  return EditorView.inputHandler.of((view, _from, _to, text) => {
    const close = CLOSING[text];
    const { state } = view;
    if (close === undefined || view.composing || state.readOnly) return false;
    const isInLine = ({ from, to }: { from: number; to: number }) => from < to && to <= state.doc.lineAt(from).to;
    if (!state.selection.ranges.every(isInLine)) return false;
    const spec = state.changeByRange(({ anchor, head, from, to }) => ({
      changes: [
        { from, insert: text },
        { from: to, insert: close },
      ],
      range: EditorSelection.range(anchor + text.length, head + text.length),
    }));
    view.dispatch(state.update(spec, { userEvent: "input.type", scrollIntoView: true }));
    return true;
  });
}
