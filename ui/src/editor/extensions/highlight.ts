// Syntax highlighting of Markdown; weight and ink before colour, as on the page itself.
import { HighlightStyle, syntaxTree } from "@codemirror/language";
import { type Extension, Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { highlightTree, tags } from "@lezer/highlight";
import { metadataEnd } from "../preview/text-place";

const style = HighlightStyle.define([
  { tag: tags.heading1, fontWeight: "650", fontSize: "1.3em" },
  { tag: tags.heading2, fontWeight: "650", fontSize: "1.15em" },
  { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], fontWeight: "650" },
  { tag: tags.strong, fontWeight: "650" },
  // Scripts without a slanted form show emphasis by weight.
  { tag: tags.emphasis, fontStyle: "italic", fontWeight: "500" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.link, color: "var(--indigo)" },
  { tag: tags.url, color: "var(--ink-soft)" },
  { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.92em" },
  { tag: tags.quote, color: "var(--ink-soft)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName, tags.meta], color: "var(--ink-faint)" },
  { tag: tags.atom, color: "var(--indigo)" },
  { tag: [tags.tagName, tags.angleBracket, tags.attributeName, tags.comment], color: "var(--ink-faint)" },
  { tag: tags.character, color: "var(--amber)" },
  { tag: tags.invalid, textDecoration: "underline wavy var(--amber)", textUnderlineOffset: "3px" },
]);

const metadata = style.style([tags.meta]) ?? "";

export function markdownHighlight(): Extension {
  return [style.module ? EditorView.styleModule.of(style.module) : [], Prec.high(colours)];
}

type Tree = ReturnType<typeof syntaxTree>;

/** CodeMirror's own highlighter repaints during a composition; WebKit then loses the composition with its element. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    #tree: Tree;

    constructor(view: EditorView) {
      this.#tree = syntaxTree(view.state);
      this.decorations = paint(view, this.#tree);
    }

    update({ view, state, changes, viewportChanged }: ViewUpdate): void {
      const tree = syntaxTree(state);
      // Text that is not parsed yet keeps its colours until it is.
      const isBehind = tree.length < view.viewport.to && !viewportChanged;
      if (view.compositionStarted || isBehind) {
        this.decorations = this.decorations.map(changes);
      } else if (tree !== this.#tree || viewportChanged) {
        this.#tree = tree;
        this.decorations = paint(view, tree);
      }
    }
  },
  { decorations: (painted) => painted.decorations },
);

function paint({ visibleRanges, state: { doc } }: EditorView, tree: Tree): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  // To Markdown, the lines of metadata are a rule and a heading.
  const text = metadataEnd(doc);
  for (const { from, to } of visibleRanges) {
    if (from < text) builder.add(from, Math.min(to, text), mark(metadata));
    if (to > text) highlightTree(tree, style, (start, end, classes) => builder.add(start, end, mark(classes)), Math.max(from, text), to);
  }
  return builder.finish();
}

const marks = new Map<string, Decoration>();

function mark(classes: string): Decoration {
  const mark = marks.get(classes) ?? Decoration.mark({ class: classes });
  marks.set(classes, mark);
  return mark;
}
