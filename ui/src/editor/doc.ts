// Text as the editor has it.
import { Text } from "@codemirror/state";

/** The lines of a text, whatever they end in. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/** CodeMirror's own form of a text. */
export function docOf(text: string): Text {
  return Text.of(linesOf(text));
}
