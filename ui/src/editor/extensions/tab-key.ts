// Tab indents a list item or a selection and otherwise inserts a tab; Escape and then Tab leaves the editor
// (that part is CodeMirror's own), so that the keyboard is never caught here.
import { indentLess, indentMore } from "@codemirror/commands";
import { indentUnit, syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, type StateCommand } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export function tabKey(): Extension {
  return [indentUnit.of("  "), keymap.of([{ key: "Tab", run: tab, shift: indentLess }])];
}

const tab: StateCommand = (target) => {
  const { state, dispatch } = target;
  if (state.readOnly) return false;
  if (state.selection.ranges.some((range) => !range.empty) || inList(state)) return indentMore(target);
  dispatch(state.update(state.replaceSelection("\t"), { scrollIntoView: true, userEvent: "input" }));
  return true;
};

function inList(state: EditorState): boolean {
  const line = state.doc.lineAt(state.selection.main.head);
  for (let node = syntaxTree(state).resolveInner(line.to, -1); node.parent !== null; node = node.parent) {
    if (node.name === "ListItem") return true;
  }
  return false;
}
