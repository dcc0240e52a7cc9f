// The writing surface: soft wrapping, the system's spell checker, an own caret and selection, and a name for screen
// readers.
import { defaultKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightActiveLine, keymap } from "@codemirror/view";
import { spelling } from "./spelling";
import { TOP_MARGIN } from "./theme";

/** Keys that have another meaning here: formatting, and saving. */
const TAKEN = new Set(["Mod-i", "Mod-Enter", "Shift-Mod-k"]);
/** Together with Shift, these open the daily notes around this one. */
const DAILY = new Set(["Alt-ArrowLeft", "Alt-ArrowRight"]);
const KEYMAP = defaultKeymap
  .filter(({ key }) => key === undefined || !TAKEN.has(key))
  .map(({ shift, ...binding }) => (shift === undefined || DAILY.has(binding.key ?? "") ? binding : { ...binding, shift }));

export interface SurfaceWords {
  label: string;
  placeholder: string;
}

export function surface({ label, placeholder: hint }: SurfaceWords, isSpellingChecked: boolean): Extension {
  return [
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      "aria-label": label,
      "data-testid": "editor",
      tabindex: "0",
      autocorrect: "off",
      autocapitalize: "off",
    }),
    hintWhenEmpty(hint),
    spelling(isSpellingChecked),
    drawSelection(),
    dropCursor(),
    highlightActiveLine(),
    EditorState.tabSize.of(4),
    EditorView.scrollMargins.of(aboveFirstLine),
    keymap.of(KEYMAP),
  ];
}

/** Moving to the first line also scrolls to the space above it. */
function aboveFirstLine({ state }: EditorView): { top: number } | null {
  return state.doc.lineAt(state.selection.main.head).number === 1 ? { top: TOP_MARGIN } : null;
}

/** Drawn by the theme and not part of the line: beside an element there, WebKit loses the composition at each key. */
function hintWhenEmpty(hint: string): Extension {
  return EditorView.contentAttributes.of(({ state }) => ({
    "aria-placeholder": hint,
    ...(state.doc.length === 0 && { "data-empty": "" }),
  }));
}
