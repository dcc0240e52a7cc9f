// How the editor looks: the tokens of styles/tokens.css, so that light and dark need nothing more.
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
    // Out of the flow, so that the caret stands before it; nothing of the text, so not read out as such.
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
    // The only line of an empty text needs no mark, which would lie behind some lines of the placeholder alone.
    ".cm-content[data-empty] .cm-activeLine": { backgroundColor: "transparent" },
    ".cm-searchMatch": { backgroundColor: "var(--amber-wash)", outline: "1px solid var(--amber)" },
    ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--amber) 40%, transparent)" },
    ".cm-selectionMatch": { backgroundColor: "var(--indigo-wash)" },
    // They are as wide as the editor, which beside its preview is narrower than the window.
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
    // What is looked for, how, and what is put there instead: each on a line of its own, in the order of the Tab key.
    // The two fields are as wide as each other, however long the words beside them are.
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
    // Each field gives way to its buttons: a line more is a line of the text less.
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
      // The letters' own, or what cuts a long label off takes their ends as well.
      lineHeight: "22px",
      padding: "3px 10px",
      borderRadius: "var(--r-s)",
      color: "var(--ink)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--indigo-wash)", color: "var(--ink)" },
    // Paths are told apart by their ends: one without room beside its title stands below it, whole.
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
