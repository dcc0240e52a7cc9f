// How the editor looks: the tokens of styles/tokens.css, so that light and dark need nothing more.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

export function editorTheme(): Extension {
  return EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--t-16)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--font-read)", lineHeight: "1.75", overflow: "auto" },
    ".cm-content": {
      flex: "1 1 auto",
      maxWidth: "46em",
      margin: "0 auto",
      padding: "28px 0 40vh",
      caretColor: "var(--indigo)",
      lineBreak: "strict",
    },
    ".cm-line": { padding: "0 var(--editor-gutter, 28px)" },
    ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--indigo)", marginLeft: "-1px" },
    ".cm-placeholder": { color: "var(--ink-faint)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "color-mix(in srgb, var(--indigo) 22%, transparent)",
    },
    ".cm-arriving": {
      padding: "1px 8px",
      borderRadius: "var(--r-s)",
      background: "var(--indigo-wash)",
      color: "var(--ink-soft)",
      font: "400 var(--t-13)/1.5 var(--font-ui)",
    },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--ink) 3%, transparent)" },
    ".cm-searchMatch": { backgroundColor: "var(--amber-wash)", outline: "1px solid var(--amber)" },
    ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--amber) 40%, transparent)" },
    ".cm-selectionMatch": { backgroundColor: "var(--indigo-wash)" },
    ".cm-panels": { backgroundColor: "var(--paper-sunken)", color: "var(--ink)", borderColor: "var(--line)" },
    ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-panel.cm-search": {
      display: "flex",
      flexWrap: "wrap",
      gap: "6px",
      alignItems: "center",
      padding: "8px 40px 8px 16px",
      font: "400 var(--t-13)/1.5 var(--font-ui)",
    },
    ".cm-panel.cm-search br": { display: "block", flexBasis: "100%", height: "0", content: '""' },
    ".cm-panel.cm-search label": { display: "inline-flex", gap: "4px", alignItems: "center", fontSize: "inherit" },
    ".cm-panel.cm-search input[type=checkbox]": { accentColor: "var(--indigo)" },
    ".cm-panel.cm-search [name=close]": { position: "absolute", top: "6px", right: "10px", width: "28px", height: "28px", margin: "0" },
    ".cm-textfield": {
      height: "28px",
      margin: "0",
      padding: "0 8px",
      border: "1px solid var(--line-control)",
      borderRadius: "var(--r-s)",
      background: "var(--paper-raised)",
      font: "inherit",
    },
    ".cm-button": {
      height: "28px",
      margin: "0",
      padding: "0 10px",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--r-s)",
      background: "var(--paper-raised)",
      font: "inherit",
    },
  });
}
