// Spell checking by the system, line by line. A checker without a dictionary for a language marks each of its words, and
// there is none for languages that are written without spaces.
import { type Extension, RangeSetBuilder, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const LETTER = /\p{L}/u;

/** True if every word of a line may be in a dictionary. */
export function isCheckable(line: string): boolean {
  return LETTER.test(line) && !WITHOUT_SPACES.test(line);
}

/** The number of lines at the start of a page in which its language is sought. */
const MAX_FRONT_MATTER = 50;
const LANGUAGE = /^lang(?:uage)?:\s*["']?([a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,4})["']?\s*$/i;

/** The language that the front matter of a page names; null if it names none. */
export function languageOf(doc: Text): string | null {
  if (doc.line(1).text.trimEnd() !== "---") return null;
  let language: string | null = null;
  for (let number = 2; number <= Math.min(doc.lines, MAX_FRONT_MATTER); number += 1) {
    const { text } = doc.line(number);
    if (text.trimEnd() === "---") return language;
    language ??= LANGUAGE.exec(text)?.[1] ?? null;
  }
  return null;
}

const CHECKED = Decoration.line({ attributes: { spellcheck: "true" } });

/** Turned off for the text, so that a word that is being composed in a new line is never marked. */
export function spelling(enabled: boolean): Extension {
  const language = EditorView.contentAttributes.of(({ state }): Record<string, string> => {
    const lang = languageOf(state.doc);
    return lang === null ? {} : { lang: lang.replaceAll("_", "-") };
  });
  return [EditorView.contentAttributes.of({ spellcheck: "false" }), language, enabled ? checkedLines : []];
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
