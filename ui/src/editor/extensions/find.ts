// Finding and replacing in the text (Ctrl F), in the person's language.
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export function find(phrases: Record<string, string>): Extension {
  return [
    search({ top: true }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    keymap.of(searchKeymap),
    EditorState.phrases.of(phrases),
  ];
}
