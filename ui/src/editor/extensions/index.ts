// The editor's extensions, in their order: who comes first answers a key first.
import type { Extension } from "@codemirror/state";
import { arriving } from "./arriving";
import { type Carrier, broughtFiles } from "./brought-files";
import { compositionGuard } from "./composition-guard";
import { find } from "./find";
import { markdownHighlight } from "./highlight";
import { undoHistory } from "./history";
import { markdownEditing } from "./markdown-language";
import { type SurfaceWords, surface } from "./surface";
import { tabKey } from "./tab-key";
import { editorTheme } from "./theme";

export interface EditorWords extends SurfaceWords {
  /** CodeMirror's own phrases for finding and replacing. */
  phrases: Record<string, string>;
}

export function editorExtensions(words: EditorWords, carrier: Carrier): Extension {
  return [
    compositionGuard(),
    editorTheme(),
    markdownHighlight(),
    markdownEditing(),
    tabKey(),
    undoHistory(),
    find(words.phrases),
    surface(words),
    arriving(),
    broughtFiles(carrier),
  ];
}
