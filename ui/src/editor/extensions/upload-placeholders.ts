// Placeholders in the text for files about to be linked: a mark describes each file until it arrives. The mark is not
// part of the text, and moves with edits around it.
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

/** A reserved place. */
export interface Place {
  /** Describes the pending file. */
  setLabel(label: string): void;
  /** Inserts there; further text follows it. */
  write(text: string): void;
  /** Removes the mark: nothing more arrives. */
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

export function uploadPlaceholders(): Extension {
  return marks;
}

let count = 0;

/** Reserves a place at `at`. */
export function insertPlaceholder(view: EditorView, at: number): Place {
  const id = ++count;
  const place = () => placeOf(view.state, id);
  return {
    setLabel: (label) => view.dispatch({ effects: put.of({ id, at: place()?.at ?? Math.min(at, view.state.doc.length), label }) }),
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
  const widgets = waiting.map(({ at, label }) => Decoration.widget({ widget: new UploadWidget(label), side: 1 }).range(at));
  return Decoration.set(widgets, true);
}

class UploadWidget extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }

  override eq(other: UploadWidget): boolean {
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
