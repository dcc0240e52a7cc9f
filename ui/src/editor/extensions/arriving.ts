// Places in the text where a file is about to be linked: a mark that says what comes, until it has come. It is no part of
// the text, and moves along with what is typed around it.
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

/** One place that waits. */
export interface Place {
  /** What comes now. */
  say(label: string): void;
  /** Writes there; further text comes after it. */
  write(text: string): void;
  /** Nothing more comes. */
  end(): void;
}

interface Mark {
  id: number;
  at: number;
  label: string;
}

const put = StateEffect.define<Mark>({ map: (mark, changes) => ({ ...mark, at: changes.mapPos(mark.at, 1) }) });
const remove = StateEffect.define<number>();

const marks = StateField.define<readonly Mark[]>({
  create: () => [],
  update(before, { changes, effects }) {
    let after = before.map((mark) => ({ ...mark, at: changes.mapPos(mark.at, 1) }));
    for (const effect of effects) {
      if (effect.is(put)) after = [...after.filter(({ id }) => id !== effect.value.id), effect.value];
      if (effect.is(remove)) after = after.filter(({ id }) => id !== effect.value);
    }
    return after;
  },
  provide: (field) => EditorView.decorations.from(field, draw),
});

export function arriving(): Extension {
  return marks;
}

let count = 0;

/** Keeps a place at `at`. */
export function holdPlace(view: EditorView, at: number): Place {
  const id = ++count;
  const place = () => placeOf(view.state, id);
  return {
    say: (label) => view.dispatch({ effects: put.of({ id, at: place()?.at ?? Math.min(at, view.state.doc.length), label }) }),
    write(text) {
      const from = place()?.at ?? Math.min(at, view.state.doc.length);
      const { head, empty } = view.state.selection.main;
      const follows = empty && head === from;
      view.dispatch({
        changes: { from, insert: view.state.toText(text) },
        ...(follows && { selection: { anchor: from + text.length }, scrollIntoView: true }),
        userEvent: "input.paste",
      });
    },
    end: () => view.dispatch({ effects: remove.of(id) }),
  };
}

function placeOf(state: EditorState, id: number): Mark | undefined {
  return state.field(marks, false)?.find((mark) => mark.id === id);
}

function draw(waiting: readonly Mark[]): DecorationSet {
  const shown = waiting.map(({ at, label }) => Decoration.widget({ widget: new Arriving(label), side: 1 }).range(at));
  return Decoration.set(shown, true);
}

class Arriving extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }

  override eq(other: Arriving): boolean {
    return other.label === this.label;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = "cm-arriving";
    mark.textContent = this.label;
    return mark;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}
