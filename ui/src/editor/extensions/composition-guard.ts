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
    // On WebKit, CodeMirror takes a key soon after the end for the one that has ended it, and leaves it to the engine:
    // a quick second Enter would write two lines, a Tab would leave the text. That one is stopped above, always; a key
    // that is none takes its place.
    const settle = () => view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key: "Unidentified" }));
    // Above the text, in the capturing phase: before any of the editor's own handlers; and bubbling, after them.
    view.dom.addEventListener("keydown", guard, { capture: true });
    view.dom.addEventListener("compositionend", settle);
    return {
      destroy: () => {
        view.dom.removeEventListener("keydown", guard, { capture: true });
        view.dom.removeEventListener("compositionend", settle);
      },
    };
  });
}
