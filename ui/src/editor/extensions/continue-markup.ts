// Enter continues lists and quotes. On an empty item it leaves the list: the next text is outside of it.
import { insertNewlineContinueMarkupCommand } from "@codemirror/lang-markdown";
import { ChangeSet, type EditorState, type StateCommand, type Transaction } from "@codemirror/state";

/** An item with its marker only. */
const EMPTY_ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?\s*$/;
const NO_WORDS = /^[\s>]*$/;

const goOn = insertNewlineContinueMarkupCommand({ nonTightLists: false });

export const continueMarkup: StateCommand = ({ state, dispatch }) =>
  goOn({
    state,
    dispatch: (transaction) => dispatch(hasLeftList(state, transaction) ? withBlankLine(state, transaction) : transaction),
  });

function hasLeftList(before: EditorState, { newDoc, newSelection }: Transaction): boolean {
  const { main, ranges } = newSelection;
  if (ranges.length > 1 || newDoc.lines !== before.doc.lines) return false;
  const line = newDoc.lineAt(main.head);
  if (!EMPTY_ITEM.test(before.doc.line(line.number).text) || !NO_WORDS.test(line.text)) return false;
  return line.number > 1 && !NO_WORDS.test(newDoc.line(line.number - 1).text);
}

/** Adds a blank line: text directly below an item would still belong to it. */
function withBlankLine(before: EditorState, { changes, newDoc, newSelection }: Transaction): Transaction {
  const { from, text } = newDoc.lineAt(newSelection.main.head);
  const insert = text.trimEnd() + before.lineBreak;
  const blank = ChangeSet.of({ from, insert }, newDoc.length);
  return before.update({
    changes: changes.compose(blank),
    selection: { anchor: newSelection.main.head + insert.length },
    scrollIntoView: true,
    userEvent: "input",
  });
}
