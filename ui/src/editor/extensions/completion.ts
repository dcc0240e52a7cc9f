// What one is about to link to, found while its name is typed: pages after `[[` and `](`, the page's files after `asset:`.
// Pages are found by the server, which sees through width and kinds of kana.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, tooltips } from "@codemirror/view";

/** Where names come from. */
export interface Names {
  pages: (query: string, signal: AbortSignal) => Promise<readonly { path: string; title?: string | null }[]>;
  files: (signal: AbortSignal) => Promise<readonly { file_name: string }[]>;
  /** A file's name as the address of a link holds it. */
  fileAddress: (name: string) => string;
  /** A page's path as a link holds it. */
  pageAddress: (path: string, form: "wiki" | "plain") => string;
}

/** What has been typed of a link; its end is where one writes. */
const WIKI_LINK = /\[\[([^[\]|\n]*)$/;
const FILE = /\basset:([^\s()<>[\]]*)$/;
const LINK = /\]\(([^\s()<>]*)$/;
/** An address that names no page. */
const ELSEWHERE = /^(?:#|[a-z][a-z0-9+.-]*:)/i;

const MOST = 20;
/** Between the list and the edges of the window, in pixels. */
const MARGIN = 12;

export function completion(names: Names): Extension {
  return [
    autocompletion({
      override: [(context) => complete(context, names)],
      icons: false,
      // The first one is not taken by an Enter that was meant to end the line before one has looked.
      interactionDelay: 150,
      maxRenderedOptions: MOST,
    }),
    // Off the edges of the window, and off a scrollbar there.
    tooltips({
      tooltipSpace: () => ({ top: MARGIN, left: MARGIN, bottom: innerHeight - MARGIN, right: innerWidth - MARGIN }),
    }),
  ];
}

export async function complete(context: CompletionContext, names: Names): Promise<CompletionResult | null> {
  const { text, from } = context.state.doc.lineAt(context.pos);
  const before = text.slice(0, context.pos - from);
  const signal = signalOf(context);
  const wiki = WIKI_LINK.exec(before)?.[1];
  if (wiki !== undefined) return pages(context, names, wiki, signal, "]]");
  const file = FILE.exec(before)?.[1];
  if (file !== undefined) return files(context, names, file, signal);
  const link = LINK.exec(before)?.[1];
  if (link === undefined || ELSEWHERE.test(link)) return null;
  return pages(context, names, link, signal, ")");
}

async function pages(
  context: CompletionContext,
  names: Names,
  typed: string,
  signal: AbortSignal,
  end: "]]" | ")",
): Promise<CompletionResult | null> {
  const found = await names.pages(typed, signal).catch(nothing);
  if (found === null || context.aborted) return null;
  const options = found.map(({ path, title }): Completion => {
    const address = names.pageAddress(path, end === "]]" ? "wiki" : "plain");
    return { label: title ?? path, ...(title && { detail: path }), apply: closing(address, end) };
  });
  return { from: context.pos - typed.length, options, filter: false };
}

async function files(
  context: CompletionContext,
  names: Names,
  typed: string,
  signal: AbortSignal,
): Promise<CompletionResult | null> {
  const all = await names.files(signal).catch(nothing);
  if (all === null || context.aborted) return null;
  const wanted = typed.normalize("NFKC").toLowerCase();
  const options = all
    .map(({ file_name }) => ({ label: file_name, address: names.fileAddress(file_name) }))
    .filter(({ label, address }) => [label, address].some((name) => name.normalize("NFKC").toLowerCase().includes(wanted)))
    .slice(0, MOST)
    .map(({ label, address }): Completion => ({ label, apply: closing(address, ")") }));
  return { from: context.pos - typed.length, options, filter: false };
}

/** Writes the address and ends the link, unless its end is there already. */
function closing(address: string, end: string) {
  return (view: EditorView, picked: Completion, from: number, to: number) => {
    const { state } = view;
    const there = state.sliceDoc(to, to + end.length) === end;
    const change = insertCompletionText(state, there ? address : address + end, from, to);
    view.dispatch({ ...change, annotations: pickedCompletion.of(picked) });
  };
}

function signalOf(context: CompletionContext): AbortSignal {
  const aborting = new AbortController();
  context.addEventListener("abort", () => aborting.abort(), { onDocChange: true });
  return aborting.signal;
}

/** Completion is an aid: without it one writes on, and what is wrong with the server is told elsewhere. */
function nothing(): null {
  return null;
}
