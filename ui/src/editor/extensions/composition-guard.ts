// While an input method composes, its keys are its own: Enter takes a conversion and must not end a list item.
import { type Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin } from "@codemirror/view";
import { isComposing } from "../../keys";

/** CodeMirror waits for `compositionstart`, which WebKitGTK may never send; the key itself says it too. */
export function compositionGuard(): Extension {
  return ViewPlugin.define((view: EditorView) => {
    const guard = (event: KeyboardEvent) => {
      if (isComposing(event)) event.stopPropagation();
    };
    // Above the text, in the capturing phase: before any of the editor's own handlers.
    view.dom.addEventListener("keydown", guard, { capture: true });
    return { destroy: () => view.dom.removeEventListener("keydown", guard, { capture: true }) };
  });
}
