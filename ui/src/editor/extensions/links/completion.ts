// Completion of link targets: pages after `[[` and `](`, headings after their `#`, the page's files after `asset:`; and of
// tags and the kinds of callouts. The server searches pages, and folds width and kinds of kana.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, tooltips } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { decodePath } from "../../../markdown/links/page-path";
import { type SlashItem, slashMenu } from "../../formatting/slash-menu";

/** The sources of names. */
export interface LinkTargets {
  pages: (query: string, signal: AbortSignal) => Promise<readonly { path: string; title?: string | null }[]>;
  files: (signal: AbortSignal) => Promise<readonly { file_name: string }[]>;
  /** The headings of a page; of the edited text if the path is empty. */
  headings: (path: string, text: () => string, signal: AbortSignal) => Promise<readonly { text: string; slug: string; level: number }[]>;
  tags: (signal: AbortSignal) => Promise<readonly { tag: string; pages: number }[]>;
  /** The kinds of callouts with their titles. */
  callouts: () => readonly { kind: string; title: string }[];
  /** A file's name in the form of a link's address. */
  fileAddress: (name: string) => string;
  /** A page's path in the form of a link. */
  pageAddress: (path: string, form: "wiki" | "plain") => string;
}

/** The typed part of a link, up to the cursor. */
const WIKI_LINK = /\[\[([^[\]|\n]*)$/;
const FILE = /\basset:([^\s()<>[\]]*)$/;
const LINK = /\]\(([^\s()<>]*)$/;
/** The address of a link up to the `#` of its heading, and what follows. */
const HEADING = /(\[\[|\]\()([^[\]()|#<>\n]*)#([^[\]()|\n]*)$/;
/** A tag from its first letter on: before it, `#` may begin a heading. */
const TAG = /(?<![\p{Alphabetic}\p{N}\p{M}_/#&-])#([\p{Alphabetic}\p{N}\p{M}_][\p{Alphabetic}\p{N}\p{M}_/-]*)$/u;
const CALLOUT = /^\s*(?:>\s*)+\[!([a-z]*)$/i;
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
  const callout = CALLOUT.exec(before)?.[1];
  if (callout !== undefined) return callouts(context, names, callout);
  const heading = HEADING.exec(before);
  if (heading !== null) return headings(context, names, decodePath(heading[2] ?? ""), heading[3] ?? "", signal, heading[1] === "[[" ? "]]" : ")");
  const wiki = WIKI_LINK.exec(before)?.[1];
  if (wiki !== undefined) return pages(context, names, wiki, signal, "]]");
  const file = FILE.exec(before)?.[1];
  if (file !== undefined) return files(context, names, file, signal);
  const link = LINK.exec(before)?.[1];
  if (link === undefined) {
    const tag = TAG.exec(before)?.[1];
    return tag === undefined || isVerbatim(context.state, context.pos) ? null : tags(context, names, tag, signal);
  }
  if (ELSEWHERE.test(link)) return null;
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
  const wanted = fold(typed);
  const options = all
    .map(({ file_name }) => ({ label: file_name, address: names.fileAddress(file_name) }))
    .filter(({ label, address }) => [label, address].some((name) => fold(name).includes(wanted)))
    .slice(0, MAX_OPTIONS)
    .map(({ label, address }): Completion => ({ label, apply: closing(address, ")") }));
  return { from: context.pos - typed.length, options, filter: false };
}

/** A heading is named by its anchor, which letters and their case don't change. */
async function headings(
  context: CompletionContext,
  names: LinkTargets,
  path: string,
  typed: string,
  signal: AbortSignal,
  end: "]]" | ")",
): Promise<CompletionResult | null> {
  // An address of the web has a part of its own after its `#`.
  if (path !== "" && !path.startsWith("/")) return null;
  const all = await names.headings(path, () => context.state.doc.toString(), signal).catch(nothing);
  if (all === null || context.aborted) return null;
  const wanted = fold(typed);
  const options = all
    .filter(({ text, slug }) => fold(text).includes(wanted) || slug.includes(wanted))
    .slice(0, MAX_OPTIONS)
    .map(({ text, slug, level }): Completion => ({ label: text, detail: "#".repeat(level), apply: closing(slug, end) }));
  return options.length === 0 ? null : { from: context.pos - typed.length, options, filter: false };
}

async function tags(context: CompletionContext, names: LinkTargets, typed: string, signal: AbortSignal): Promise<CompletionResult | null> {
  const all = await names.tags(signal).catch(nothing);
  if (all === null || context.aborted) return null;
  const wanted = fold(typed);
  const options = all
    .filter(({ tag }) => fold(tag).includes(wanted) && tag !== typed && !/\s/.test(tag))
    // Those that begin with it come first, then the most used.
    .sort((one, other) => Number(fold(other.tag).startsWith(wanted)) - Number(fold(one.tag).startsWith(wanted)) || other.pages - one.pages)
    .slice(0, MAX_OPTIONS)
    .map(({ tag, pages }): Completion => ({ label: tag, detail: String(pages), apply: tag }));
  return options.length === 0 ? null : { from: context.pos - typed.length, options, filter: false };
}

function callouts(context: CompletionContext, names: LinkTargets, typed: string): CompletionResult | null {
  const wanted = fold(typed);
  const end = context.state.sliceDoc(context.pos, context.pos + 1) === "]" ? "]" : "] ";
  const options = names
    .callouts()
    .filter(({ kind, title }) => kind.startsWith(wanted) || fold(title).startsWith(wanted))
    .map(({ kind, title }): Completion => ({ label: kind, detail: title, apply: closing(kind, end) }));
  return options.length === 0 ? null : { from: context.pos - typed.length, options, filter: false };
}

/** True in code, where `#` begins no tag. */
function isVerbatim(state: EditorState, at: number): boolean {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, -1); node !== null; node = node.parent) {
    if (/Code/.test(node.name)) return true;
  }
  return false;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
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
