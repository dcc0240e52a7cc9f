// Tab indents in lists, and moves the focus past the text elsewhere; Escape and then Tab leaves a list too (that part
// is CodeMirror's own), so that the keyboard is never trapped here.
import { indentLess, indentMore } from "@codemirror/commands";
import { indentUnit, syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, type StateCommand } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export function tabKey(): Extension {
  return [indentUnit.of("  "), keymap.of([{ key: "Tab", run: tab, shift: untab }])];
}

const tab: StateCommand = (target) => inList(target.state) && indentMore(target);
const untab: StateCommand = (target) => inList(target.state) && indentLess(target);

function inList(state: EditorState): boolean {
  const line = state.doc.lineAt(state.selection.main.head);
  for (let node = syntaxTree(state).resolveInner(line.to, -1); node.parent !== null; node = node.parent) {
    if (node.name === "ListItem") return true;
  }
  return false;
}
