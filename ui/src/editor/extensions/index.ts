// The editor's extensions in order: the first extension answers a key first.
import type { Extension } from "@codemirror/state";
import { uploadPlaceholders } from "./upload-placeholders";
import { type Carrier, fileHandlers } from "./file-handlers";
import { completion, type LinkTargets } from "./links/completion";
import { compositionGuard } from "./composition-guard";
import { find } from "./find";
import { markdownHighlight } from "./highlight";
import { undoHistory } from "./history";
import { markdownEditing } from "./markdown-language";
import { noncedStyles } from "./nonced-styles";
import { type SurfaceWords, surface } from "./surface";
import { paste, type PasteReports } from "../formatting/paste";
import type { SlashItem } from "../formatting/slash-menu";
import { surround } from "../formatting/surround";
import { tableEditing } from "../formatting/tables";
import { tabKey } from "./tab-key";
import { editorTheme } from "./theme";
import { type OnAmbiguous, typedLinks } from "./links/typed-links";

export interface EditorWords extends SurfaceWords {
  /** CodeMirror's own phrases for finding and replacing. */
  phrases: Record<string, string>;
}

export interface EditorParts {
  words: EditorWords;
  /** Accepts pictures and files that are pasted or dropped. */
  carrier: Carrier;
  /** The possible link targets. */
  names: LinkTargets;
  /** The menu after "/" at the start of a line. */
  slashItems: () => readonly SlashItem[];
  /** True if the system checks the spelling. */
  spelling: boolean;
  pasting: PasteReports;
  onAmbiguousLink: OnAmbiguous;
}

export function editorExtensions({ words, carrier, names, slashItems, spelling, pasting, onAmbiguousLink }: EditorParts): Extension {
  return [
    noncedStyles(),
    compositionGuard(),
    editorTheme(),
    markdownHighlight(),
    completion(names, slashItems),
    typedLinks(names, onAmbiguousLink),
    tableEditing(),
    markdownEditing(),
    tabKey(),
    undoHistory(),
    find(words.phrases),
    surround(),
    surface(words, spelling),
    uploadPlaceholders(),
    fileHandlers(carrier),
    paste(loadConverter, pasting),
  ];
}

/** Loaded with the first formatted text that is pasted. */
async function loadConverter() {
  return (await import("../formatting/html-to-markdown")).htmlToMarkdown;
}
