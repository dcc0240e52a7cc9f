// Spell checking by the system, line by line. A checker without a dictionary for a language marks each of its words, and
// there is none for languages that are written without spaces.
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const LETTER = /\p{L}/u;

/** True if every word of a line may be in a dictionary. */
export function isCheckable(line: string): boolean {
  return LETTER.test(line) && !WITHOUT_SPACES.test(line);
}

const CHECKED = Decoration.line({ attributes: { spellcheck: "true" } });

/** Turned off for the text, so that a word that is being composed in a new line is never marked. */
export function spelling(): Extension {
  return [EditorView.contentAttributes.of({ spellcheck: "false" }), checkedLines];
}

const checkedLines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update({ view, changes, docChanged, viewportChanged }: ViewUpdate): void {
      // The lines stay as they are during a composition, which a change could end.
      if (view.composing) this.decorations = this.decorations.map(changes);
      else if (docChanged || viewportChanged) this.decorations = decorate(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      if (isCheckable(line.text)) lines.add(line.from, line.from, CHECKED);
      if (line.to >= to) break;
    }
  }
  return lines.finish();
}
