// The styles that the editor writes into the document carry the nonce that the page's policy asks for.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { styleNonce } from "../../markdown/style-nonce";

export function noncedStyles(): Extension {
  return EditorView.cspNonce.of(styleNonce());
}
