// Two texts side by side with their differences marked; loaded only for a comparison.
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { markdownHighlight } from "../extensions/highlight";
import { markdownEditing } from "../extensions/markdown-language";
import { noncedStyles } from "../extensions/nonced-styles";

export interface ComparisonWords {
  /** The names of both sides for screen readers. */
  labels: [left: string, right: string];
  /** The replacement for equal lines; `$` is their number. */
  unchanged: string;
}

/**
 * Fills `parent`; both sides can be read and selected, but not changed. Returns a function that removes the comparison.
 */
export function showComparison(
  parent: HTMLElement,
  left: string,
  right: string,
  { labels, unchanged }: ComparisonWords,
): () => void {
  const side = (doc: string, label: string) => ({
    doc,
    extensions: [
      noncedStyles(),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorState.phrases.of({ "$ unchanged lines": unchanged }),
      EditorView.contentAttributes.of({ tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-label": label }),
      markdownEditing(),
      markdownHighlight(),
      theme,
    ],
  });
  const [leftLabel, rightLabel] = labels;
  const view = new MergeView({
    parent,
    a: side(left, leftLabel),
    b: side(right, rightLabel),
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
  return () => view.destroy();
}

const theme = EditorView.theme({
  "&": { color: "var(--ink)", fontSize: "var(--t-14)" },
  ".cm-scroller": { fontFamily: "var(--font-read)", lineHeight: "1.7" },
  ".cm-content": { padding: "12px 0" },
  // Aligned with the heading: the gutter's three pixels make up the rest.
  ".cm-line": { padding: "0 var(--s-4) 0 13px" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--seal-wash)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--pine-wash)" },
  "&.cm-merge-a .cm-changedText": { background: "color-mix(in srgb, var(--seal) 24%, transparent)" },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in srgb, var(--pine) 24%, transparent)" },
  ".cm-gutters": { background: "transparent", border: "0" },
  ".cm-changeGutter": { width: "3px" },
  "&.cm-merge-a .cm-changedLineGutter": { background: "var(--seal)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--pine)" },
  ".cm-collapsedLines": { color: "var(--ink-soft)", background: "var(--paper-sunken)", fontSize: "var(--t-12)" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"···"', opacity: "0.7" },
});
