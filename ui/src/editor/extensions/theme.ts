// The editor's theme: it uses the tokens of styles/tokens.css, so light and dark need nothing more.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** The space above the text, in pixels. */
export const TOP_MARGIN = 28;

export function editorTheme(): Extension {
  return EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--t-16)" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--font-read)", lineHeight: "1.75", overflow: "auto" },
    ".cm-content": {
      flex: "1 1 auto",
      maxWidth: "46em",
      margin: "0 auto",
      padding: `${TOP_MARGIN}px 0 40vh`,
      caretColor: "var(--indigo)",
      lineBreak: "strict",
    },
    ".cm-line": { padding: "0 var(--editor-gutter, 28px)" },
    ".cm-cursor, .cm-dropCursor": { borderLeft: "2px solid var(--indigo)", marginLeft: "-1px" },
    // Out of the flow, so that the caret precedes it; not part of the text, so screen readers do not read it as such.
    ".cm-content[data-empty]::before": {
      content: 'attr(aria-placeholder) / ""',
      position: "absolute",
      padding: "0 var(--editor-gutter, 28px)",
      color: "var(--ink-faint)",
      pointerEvents: "none",
    },
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
    // The only line of an empty text needs no highlight, which would be behind some lines of the placeholder only.
    ".cm-content[data-empty] .cm-activeLine": { backgroundColor: "transparent" },
    ".cm-searchMatch": { backgroundColor: "var(--amber-wash)", outline: "1px solid var(--amber)" },
    ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--amber) 40%, transparent)" },
    ".cm-selectionMatch": { backgroundColor: "var(--indigo-wash)" },
    // They are as wide as the editor, which is narrower than the window beside its preview.
    ".cm-panels": { backgroundColor: "var(--paper-sunken)", color: "var(--ink)", borderColor: "var(--line)", containerType: "inline-size" },
    ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-panel.cm-search": {
      display: "flex",
      flexWrap: "wrap",
      gap: "5px var(--s-2)",
      alignItems: "center",
      padding: "10px 44px 10px 16px",
      font: "400 var(--t-13)/1.5 var(--font-ui)",
    },
    ".cm-panel.cm-search br": { display: "none" },
    ".cm-panel.cm-search :is(input, button, label)": { margin: "0" },
    // The search text, its options and the replacement are on a line each, in the order of the Tab key. Both fields
    // have the same width, however long the labels beside them are.
    ".cm-panel.cm-search .cm-textfield": { flex: "0 1 14rem" },
    ".cm-panel.cm-search::before, .cm-panel.cm-search::after": { content: '""', flexBasis: "100%", height: "0" },
    ".cm-panel.cm-search::before": { order: "2" },
    ".cm-panel.cm-search :is([name=replace], [name=replaceAll])": { order: "5" },
    ".cm-panel.cm-search::after": { order: "4" },
    ".cm-panel.cm-search label": {
      display: "inline-flex",
      order: "3",
      gap: "6px",
      alignItems: "center",
      minHeight: "24px",
      paddingRight: "var(--s-2)",
      fontSize: "inherit",
    },
    ".cm-panel.cm-search .cm-search-count": { minWidth: "4.5em", color: "var(--ink-soft)", fontVariantNumeric: "tabular-nums" },
    ".cm-panel.cm-search [name=close]": {
      position: "absolute",
      top: "9px",
      right: "10px",
      width: "30px",
      height: "30px",
      margin: "0",
      borderRadius: "var(--r-m)",
      color: "var(--ink-soft)",
      fontSize: "20px",
    },
    // Each field shrinks before its buttons wrap: one more line here is one line less of the text.
    "@container (width < 660px)": {
      ".cm-panel.cm-search": { gap: "4px 6px", padding: "6px 40px 6px 12px" },
      ".cm-panel.cm-search .cm-textfield": { flex: "1 1 5rem", minWidth: "5rem" },
      ".cm-panel.cm-search .cm-button": { padding: "0 8px" },
      ".cm-panel.cm-search label": { paddingRight: "0" },
      ".cm-panel.cm-search [name=close]": { top: "6px", right: "6px" },
    },
    "@container (width < 320px)": {
      ".cm-panel.cm-search .cm-textfield": { flexBasis: "3.5rem", minWidth: "3.5rem" },
      ".cm-panel.cm-search .cm-button": { padding: "0 6px" },
      ".cm-panel.cm-search [name=select]": { order: "3" },
    },
    ".cm-tooltip.cm-tooltip-autocomplete": {
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--r-m)",
      background: "var(--paper-raised)",
      boxShadow: "var(--float)",
      overflow: "hidden",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": {
      maxWidth: "min(36rem, 100vw - 26px)",
      maxHeight: "17rem",
      padding: "4px",
      font: "400 var(--t-13)/1.5 var(--font-ui)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
      display: "flex",
      flexWrap: "wrap",
      gap: "0 12px",
      alignItems: "baseline",
      minHeight: "28px",
      // The font's own height, or the truncation of a long label cuts off its descenders as well.
      lineHeight: "22px",
      padding: "3px 10px",
      borderRadius: "var(--r-s)",
      color: "var(--ink)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--indigo-wash)", color: "var(--ink)" },
    // Paths differ at their ends: a path without room beside its title is below it, whole.
    ".cm-completionLabel": { minWidth: "0", whiteSpace: "normal", overflowWrap: "anywhere" },
    ".cm-completionDetail": {
      minWidth: "0",
      marginLeft: "auto",
      color: "var(--ink-soft)",
      fontStyle: "normal",
      fontSize: "var(--t-12)",
      whiteSpace: "normal",
      overflowWrap: "anywhere",
    },
    ".cm-textfield": {
      height: "30px",
      margin: "0",
      padding: "0 8px",
      border: "1px solid var(--line-control)",
      borderRadius: "var(--r-m)",
      background: "var(--paper-raised)",
      font: "inherit",
    },
    ".cm-textfield::placeholder": { color: "var(--ink-faint)", opacity: "1" },
    ".cm-textfield:focus-visible": { borderColor: "var(--indigo)", outlineOffset: "1px" },
    ".cm-button": {
      height: "30px",
      margin: "0",
      padding: "0 12px",
      border: "1px solid var(--line-strong)",
      borderRadius: "var(--r-m)",
      background: "var(--paper-raised)",
      font: "inherit",
      fontWeight: "500",
    },
    ".cm-button:hover": { background: "var(--paper-sunken)" },
  });
}
