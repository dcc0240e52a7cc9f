// The styles that the editor writes into the document carry the nonce that the page's policy asks for.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

export function styleNonce(): Extension {
  const place = document.querySelector<HTMLElement>('meta[property="csp-nonce"]');
  return EditorView.cspNonce.of(place?.nonce ?? "");
}
