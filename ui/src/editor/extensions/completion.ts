// Completion of link targets: pages after `[[` and `](`, the page's files after `asset:`. The server searches pages,
// and folds width and kinds of kana.
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
import { type SlashItem, slashMenu } from "../formatting/slash-menu";

/** The sources of names. */
export interface LinkTargets {
  pages: (query: string, signal: AbortSignal) => Promise<readonly { path: string; title?: string | null }[]>;
  files: (signal: AbortSignal) => Promise<readonly { file_name: string }[]>;
  /** A file's name in the form of a link's address. */
  fileAddress: (name: string) => string;
  /** A page's path in the form of a link. */
  pageAddress: (path: string, form: "wiki" | "plain") => string;
}

/** The typed part of a link, up to the cursor. */
const WIKI_LINK = /\[\[([^[\]|\n]*)$/;
const FILE = /\basset:([^\s()<>[\]]*)$/;
const LINK = /\]\(([^\s()<>]*)$/;
/** An address that names no page. */
const ELSEWHERE = /^(?:#|[a-z][a-z0-9+.-]*:)/i;

const MAX_OPTIONS = 20;
/** The distance between the list and the edges of the window, in pixels. */
const MARGIN = 12;

export function completion(names: LinkTargets, slashItems: () => readonly SlashItem[]): Extension {
  return [
    autocompletion({
      override: [(context) => slashMenu(context, slashItems()) ?? complete(context, names)],
      icons: false,
      // An Enter that was meant to end the line must not accept the first option right away.
      interactionDelay: 150,
      maxRenderedOptions: MAX_OPTIONS,
    }),
    // Keeps off the edges of the window, and off a scrollbar there.
    tooltips({
      tooltipSpace: () => ({ top: MARGIN, left: MARGIN, bottom: innerHeight - MARGIN, right: innerWidth - MARGIN }),
    }),
  ];
}

export async function complete(context: CompletionContext, names: LinkTargets): Promise<CompletionResult | null> {
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
  names: LinkTargets,
  typed: string,
  signal: AbortSignal,
  end: "]]" | ")",
): Promise<CompletionResult | null> {
  const pages = await names.pages(typed, signal).catch(nothing);
  if (pages === null || context.aborted) return null;
  const options = pages.map(({ path, title }): Completion => {
    const address = names.pageAddress(path, end === "]]" ? "wiki" : "plain");
    return { label: title ?? path, ...(title && { detail: path }), apply: closing(address, end) };
  });
  return { from: context.pos - typed.length, options, filter: false };
}

async function files(
  context: CompletionContext,
  names: LinkTargets,
  typed: string,
  signal: AbortSignal,
): Promise<CompletionResult | null> {
  const all = await names.files(signal).catch(nothing);
  if (all === null || context.aborted) return null;
  const wanted = typed.normalize("NFKC").toLowerCase();
  const options = all
    .map(({ file_name }) => ({ label: file_name, address: names.fileAddress(file_name) }))
    .filter(({ label, address }) => [label, address].some((name) => name.normalize("NFKC").toLowerCase().includes(wanted)))
    .slice(0, MAX_OPTIONS)
    .map(({ label, address }): Completion => ({ label, apply: closing(address, ")") }));
  return { from: context.pos - typed.length, options, filter: false };
}

/** Writes the address and closes the link, unless it is already closed. */
function closing(address: string, end: string) {
  return (view: EditorView, picked: Completion, from: number, to: number) => {
    const { state } = view;
    const hasEnd = state.sliceDoc(to, to + end.length) === end;
    const change = insertCompletionText(state, hasEnd ? address : address + end, from, to);
    view.dispatch({ ...change, annotations: pickedCompletion.of(picked) });
  };
}

function signalOf(context: CompletionContext): AbortSignal {
  const aborting = new AbortController();
  context.addEventListener("abort", () => aborting.abort(), { onDocChange: true });
  return aborting.signal;
}

/** Completion is optional: typing works without it, and faults of the server are reported elsewhere. */
function nothing(): null {
  return null;
}
