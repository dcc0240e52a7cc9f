// The menu that opens when "/" is typed at the start of a line.
import { type Completion, type CompletionContext, type CompletionResult, pickedCompletion } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";

export interface SlashItem {
  label: string;
  /** The key, as it is shown to the user. */
  keys?: string;
  aliases?: readonly string[];
  /** Runs after the typed text has been removed. */
  run: (view: EditorView) => void;
}

/** A slash before a space or another slash is text, and so is the beginning of a path or of a comment. */
const TYPED = /^(?:\s*(?:>\s?)*)\/([^\s/]*)$/;

export function slashMenu(context: CompletionContext, items: readonly SlashItem[]): CompletionResult | null {
  const { text, from } = context.state.doc.lineAt(context.pos);
  const typed = TYPED.exec(text.slice(0, context.pos - from))?.[1];
  if (typed === undefined) return null;
  const wanted = fold(typed);
  const options = items
    .filter(({ label, aliases = [] }) => fold(label).includes(wanted) || aliases.some((alias) => fold(alias).startsWith(wanted)))
    .map(
      ({ label, keys, run }): Completion => ({
        label,
        ...(keys !== undefined && { detail: keys }),
        apply: (view, picked, start, end) => {
          view.dispatch({ changes: { from: start, to: end }, annotations: pickedCompletion.of(picked), userEvent: "input" });
          run(view);
        },
      }),
    );
  return options.length === 0 ? null : { from: context.pos - typed.length - 1, options, filter: false };
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
