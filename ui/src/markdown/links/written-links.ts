// The links to pages in a page's source, as the page's parser reads them. The store reads the same source with its own
// parser (`crates/wiki/src/markdown/`); tests compare both.
import type { Env, Token } from "markdown-it";
import { pageEnv } from "../rendering/context";
import { readDestination } from "./destination";
import { createParser } from "../rendering/parser";
import { NO_WORDS } from "../page-words";

const parser = createParser();
// Unreferenced footnotes stay in the text, and destinations stay as written.
parser.core.ruler.disable(["footnote_tail", "link_targets", "assets"]);

/** A link to a page: its path or `page:ID`, and the query and fragment after it. */
export interface WrittenLink {
  target: string;
  tail: string;
}

/** Returns the links to pages on the page `pagePath`, including those of unreferenced definitions and footnotes. */
export function writtenLinks(source: string, pagePath: string): WrittenLink[] {
  const env = pageEnv(pagePath, NO_WORDS);
  const tokens = parser.parse(source, env);
  const written = [...tokens, ...inlineFootnotes(env)].flatMap(destinationsIn);
  return [...written, ...definitions(env)].flatMap((destination) => meaning(destination, pagePath));
}

function inlineFootnotes(env: Env): Token[] {
  const { list = [] } = (env["footnotes"] ?? {}) as { list?: { tokens?: Token[] }[] };
  return list.flatMap(({ tokens = [] }) => tokens);
}

function definitions(env: Env): string[] {
  return Object.values((env["references"] ?? {}) as Record<string, { href: string }>).map(({ href }) => href);
}

function destinationsIn(token: Token): string[] {
  if (token.type === "link_open") return [String(token.attrGet("href"))];
  // The alternative text of a picture is shown without its links.
  if (token.type === "image") return [String(token.attrGet("src"))];
  return (token.children ?? []).flatMap(destinationsIn);
}

function meaning(written: string, pagePath: string): WrittenLink[] {
  // A query alone leads to the page itself, wherever it is.
  if (written.startsWith("?")) return [];
  const destination = readDestination(written, pagePath);
  if (destination.kind === "page") return [{ target: destination.path, tail: destination.tail }];
  if (destination.kind === "page-id") return [{ target: `page:${destination.id}`, tail: destination.tail }];
  return [];
}
