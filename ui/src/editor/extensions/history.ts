// Undo and redo.
import { history, historyKeymap } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

export function undoHistory(): Extension {
  return [history(), keymap.of(historyKeymap)];
}
