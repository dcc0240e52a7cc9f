import { EditorState, type StateCommand } from "@codemirror/state";
import { expect, it } from "vitest";
import { markdownEditing } from "../extensions/markdown-language";
import { insertBlock, toggleBulletList, toggleHeading, toggleNumberedList, toggleQuote, toggleTaskList } from "./blocks";
import { insertLink, toggleBold, toggleCode, toggleItalic, toggleStrikethrough } from "./inline";

/** Reads a text in which `|` is the cursor, or `«` and `»` the ends of the selection. */
function stateOf(marked: string): EditorState {
  const anchor = marked.search(/[|«]/);
  const rest = marked.replace(/[|«]/, "");
  const end = rest.indexOf("»");
  return EditorState.create({
    doc: rest.replace("»", ""),
    selection: end < 0 ? { anchor } : { anchor, head: end },
    extensions: markdownEditing(),
  });
}

function shown({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString();
  if (main.empty) return `${text.slice(0, main.head)}|${text.slice(main.head)}`;
  return `${text.slice(0, main.from)}«${text.slice(main.from, main.to)}»${text.slice(main.to)}`;
}

function after(command: StateCommand, marked: string): string {
  let state = stateOf(marked);
  command({ state, dispatch: (transaction) => void (state = transaction.state) });
  return shown(state);
}

it.each<[string, StateCommand, string, string]>([
  ["bold", toggleBold, "a «b» c", "a **«b»** c"],
  ["bold", toggleBold, "a **«b»** c", "a «b» c"],
  ["bold", toggleBold, "a «**b**» c", "a «b» c"],
  ["bold", toggleBold, "mo|ss", "**mo|ss**"],
  ["bold", toggleBold, "**mo|ss**", "mo|ss"],
  ["bold", toggleBold, "a |", "a **|**"],
  ["bold", toggleBold, "a **|**", "a |"],
  ["bold", toggleBold, "a **moss|** b", "a **moss**| b"],
  ["bold", toggleBold, "a **moss**| b", "a moss| b"],
  ["bold", toggleBold, "moss|", "**moss**|"],
  ["bold", toggleBold, "|moss", "**|moss**"],
  ["bold", toggleBold, "*|*", "***|***"],
  ["italic", toggleItalic, "**|**", "***|***"],
  ["italic", toggleItalic, "***|***", "**|**"],
  ["code", toggleCode, "a `moss|`", "a `moss`|"],
  ["bold", toggleBold, "a« b »c", "a **«b»** c"],
  ["bold", toggleBold, "秋の«紅葉»を見た", "秋の**«紅葉»**を見た"],
  ["italic", toggleItalic, "**«b»**", "***«b»***"],
  ["italic", toggleItalic, "***«b»***", "**«b»**"],
  ["italic", toggleItalic, "_«b»_", "«b»"],
  ["strikethrough", toggleStrikethrough, "«b»", "~~«b»~~"],
  ["strikethrough", toggleStrikethrough, "~~«b»~~", "«b»"],
  ["code", toggleCode, "a «b»", "a `«b»`"],
  ["code", toggleCode, "a `«b»`", "a «b»"],
  ["code", toggleCode, "«a`b»", "``«a`b»``"],
  ["code", toggleCode, "«`b`» c", "«b» c"],
  ["code", toggleCode, "«a\nb»", "```|\na\nb\n```"],
  ["link", insertLink, "see «moss»", "see [moss](|)"],
  ["link", insertLink, "«https://example.org»", "[|](https://example.org)"],
  ["link", insertLink, "|", "[](|)"],
])("%s of %j", (_name, command, before, expected) => {
  expect(after(command, before)).toBe(expected);
});

it.each<[string, StateCommand, string, string]>([
  ["heading 2", toggleHeading(2), "mo|ss", "## mo|ss"],
  ["heading 2", toggleHeading(2), "# mo|ss", "## mo|ss"],
  ["heading 2", toggleHeading(2), "## mo|ss", "mo|ss"],
  ["heading 1", toggleHeading(1), "|", "# |"],
  ["list", toggleBulletList, "«a\n\nb»", "- «a\n\n- b»"],
  ["list", toggleBulletList, "- «a\n- b»", "«a\nb»"],
  ["list", toggleBulletList, "1. «a\n2. b»", "- «a\n- b»"],
  ["list", toggleBulletList, "  a|", "  - a|"],
  ["list", toggleBulletList, "- [ ] a|", "- a|"],
  ["list", toggleBulletList, "«a\n»b", "- «a\n»b"],
  ["numbers", toggleNumberedList, "«a\nb»", "1. «a\n2. b»"],
  ["tasks", toggleTaskList, "- a|", "- [ ] a|"],
  ["tasks", toggleTaskList, "- [x] a|", "a|"],
  ["quote", toggleQuote, "«a\n\nb»", "> «a\n> \n> b»"],
  ["quote", toggleQuote, "> «a\n>\n> b»", "«a\n\nb»"],
])("%s of the lines %j", (_name, command, before, expected) => {
  expect(after(command, before)).toBe(expected);
});

it.each([
  ["a|", "a\n\n---\n|"],
  ["|", "---\n|"],
  ["a\n|\nb", "a\n\n---\n|\n\nb"],
])("blank lines separate a block inserted at %j", (before, expected) => {
  const state = stateOf(before);
  const { head } = state.selection.main;
  expect(shown(state.update(insertBlock(state, { before: "---\n" }, head, head)).state)).toBe(expected);
});
