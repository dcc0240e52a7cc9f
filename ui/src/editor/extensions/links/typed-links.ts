// Links that are typed with a title or a name only, as in other programs: `[[Kyoto]]` becomes `[[/travel/kyoto]]` once
// it is closed. One undo gives the typed text back.
import { isolateHistory } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { nameOfPage, normalizePagePath } from "../../../markdown/links/page-path";
import { slugify } from "../../../markdown/slug";
import type { LinkTargets } from "./completion";

/** A closed link before the cursor: its page, heading or block, and text. An exclamation mark before it embeds a file. */
const NAMED = /(?<!!)\[\[([^[\]|#\n]+)(#[^[\]|\n]*)?(\|[^[\]\n]*)?\]\]$/;
/** Names that are paths or addresses already. */
const COMPLETE = /^(?:\/|page:|asset:|[a-z]+:\/\/)/i;

/** Reports that several pages have the name. */
export type OnAmbiguous = (name: string, count: number) => void;

export function typedLinks(names: PageNames, onAmbiguous: OnAmbiguous): Extension {
  return ViewPlugin.define((view) => {
    const gone = new AbortController();
    /** The links that wait for an answer, at their present positions. */
    const waiting = new Set<TypedLink>();
    return {
      update({ state, transactions, docChanged, changes }: ViewUpdate) {
        if (!docChanged) return;
        for (const typed of waiting) typed.from = changes.mapPos(typed.from, 1);
        if (view.composing || !transactions.some((transaction) => transaction.isUserEvent("input.type"))) return;
        const typed = typedLink(state);
        if (typed === null) return;
        waiting.add(typed);
        void complete(view, typed, names, onAmbiguous, gone.signal).finally(() => waiting.delete(typed));
      },
      destroy: () => gone.abort(),
    };
  });
}

type PageNames = Pick<LinkTargets, "pages" | "pageAddress">;

interface TypedLink {
  from: number;
  text: string;
  name: string;
  fragment: string;
  label: string;
}

function typedLink(state: EditorState): TypedLink | null {
  const { empty, head } = state.selection.main;
  if (!empty || state.selection.ranges.length > 1) return null;
  const line = state.doc.lineAt(head);
  const [text, name = "", fragment = "", label = ""] = NAMED.exec(line.text.slice(0, head - line.from)) ?? [];
  if (text === undefined || name.trim() === "" || COMPLETE.test(name)) return null;
  const from = head - text.length;
  const isOpenCode = (line.text.slice(0, from - line.from).match(/`+/g)?.length ?? 0) % 2 === 1;
  return isOpenCode || isVerbatim(state, from) ? null : { from, text, name: name.trim(), fragment, label };
}

async function complete(view: EditorView, typed: TypedLink, names: PageNames, onAmbiguous: OnAmbiguous, signal: AbortSignal) {
  const pages = await names.pages(typed.name, signal).catch(() => null);
  // Without an answer, the text stays as it was typed.
  if (pages === null || signal.aborted) return;
  const found = pagesNamed(typed.name, pages);
  if (found.length > 1) {
    onAmbiguous(typed.name, found.length);
    return;
  }
  const path = found[0] ?? normalizePagePath(`/${typed.name}`);
  const to = typed.from + typed.text.length;
  if (path === null || view.composing || view.state.sliceDoc(typed.from, to) !== typed.text) return;
  view.dispatch({
    changes: { from: typed.from, to, insert: `[[${names.pageAddress(path, "wiki")}${anchorOf(typed.fragment)}${typed.label}]]` },
    annotations: isolateHistory.of("full"),
    userEvent: "input.complete",
  });
}

/** The pages of which this is the title, else those of which it is the last part of the path. */
export function pagesNamed(name: string, pages: readonly { path: string; title?: string | null }[]): string[] {
  const wanted = fold(name);
  const titled = pages.filter(({ title }) => title && fold(title) === wanted);
  const found = titled.length > 0 ? titled : pages.filter(({ path }) => fold(nameOfPage(path)) === wanted || fold(path) === `/${wanted}`);
  return found.map(({ path }) => path);
}

/** Blocks keep their ids; other programs name a heading by its text, the last one if there are several. */
function anchorOf(fragment: string): string {
  const last = fragment.slice(fragment.lastIndexOf("#") + 1);
  return last === "" || last.startsWith("^") ? fragment.replace(/^#$/, "") : `#${slugify(last)}`;
}

function isVerbatim(state: EditorState, at: number): boolean {
  return /Code/.test(syntaxTree(state).resolveInner(at, 1).name);
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
