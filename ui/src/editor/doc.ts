// Conversion of texts to the editor's form.
import { Text } from "@codemirror/state";

/** The lines of a text, with any kind of line break. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/** CodeMirror's own form of a text. */
export function docOf(text: string): Text {
  return Text.of(linesOf(text));
}
