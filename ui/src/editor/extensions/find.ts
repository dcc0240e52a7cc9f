// Find (Ctrl F) and replace (Ctrl H) in the text, in the user's language.
import { getSearchQuery, highlightSelectionMatches, openSearchPanel, search, searchKeymap, searchPanelOpen } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { type Command, type EditorView, keymap } from "@codemirror/view";
import { findCount } from "./find-count";

/** Opens the panel with the cursor in the replacement field; in the search field first, if that is empty. */
export const openReplace: Command = (view: EditorView) => {
  const wasOpen = searchPanelOpen(view.state);
  openSearchPanel(view);
  const isMissing = !wasOpen && getSearchQuery(view.state).search === "";
  const field = view.dom.querySelector<HTMLInputElement>(`.cm-search [name=${isMissing ? "search" : "replace"}]`);
  field?.focus();
  field?.select();
  return true;
};

export function find(phrases: Record<string, string>): Extension {
  return [
    search({ top: true }),
    findCount(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    // Also active in the search field, where a browser would show its history. On a Mac, Command H hides the window.
    keymap.of([...searchKeymap, { key: "Ctrl-h", mac: "Cmd-Alt-f", run: openReplace, scope: "editor search-panel", preventDefault: true }]),
    EditorState.phrases.of(phrases),
  ];
}
