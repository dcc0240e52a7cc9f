// The editor's style elements carry the nonce that the page's policy requires.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { styleNonce } from "../../markdown/sanitizing/style-nonce";

export function noncedStyles(): Extension {
  return EditorView.cspNonce.of(styleNonce());
}
