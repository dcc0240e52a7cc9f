// While an input method composes, it owns the keys: Enter accepts a conversion and must not end a list item.
import { type Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin } from "@codemirror/view";
import { isComposing } from "../../keys";

/**
 * CodeMirror waits for `compositionstart`, which WebKitGTK may never send; the key event itself also reports a
 * composition.
 */
export function compositionGuard(): Extension {
  return ViewPlugin.define((view: EditorView) => {
    const guard = (event: KeyboardEvent) => {
      if (isComposing(event)) event.stopPropagation();
    };
    // On WebKit, CodeMirror treats a key soon after the end as the key that ended the composition, and leaves it to the
    // engine: a quick second Enter would write two lines, a Tab would leave the text. The key that ended it is always
    // stopped above; a dummy key event takes its place.
    const settle = () => view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key: "Unidentified" }));
    // On an ancestor, in the capturing phase: before all of the editor's own handlers; and bubbling, after them.
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
