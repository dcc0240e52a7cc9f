// The server reads a page's links too (crates/wiki/src/links/); both must see the same ones in the same text.
import type { Token } from "markdown-it";
import { expect, it } from "vitest";
import fixture from "../../../tests/fixtures/links/cases.json";
import { pageEnv } from "./context";
import { type Destination, readAddress, readDestination } from "./destination";
import { createParser } from "./parser";
import { WORDS } from "./testing";

const { page, cases } = fixture;
const parser = createParser();

/** Links, and pictures of pages' own files, say by now where they lead; other pictures what was written. */
function destinationOf(token: Token): Destination | null {
  if (token.type === "link_open" && token.tag === "a") return readAddress(String(token.attrGet("href")), page);
  if (token.type !== "image") return null;
  const source = String(token.attrGet("src"));
  return source.startsWith("/api/asset?") ? readAddress(source, page) : readDestination(source, page);
}

function linksOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    // What stands in for a picture is text.
    const inside = token.type === "image" ? [] : linksOf(token.children ?? []);
    const destination = destinationOf(token);
    if (destination?.kind === "page") inside.push(destination.path + decodeURI(destination.tail));
    if (destination?.kind === "page-id") inside.push(`page:${destination.id}${decodeURI(destination.tail)}`);
    return inside;
  });
}

it.each(cases)("$source", ({ source, links }) => {
  expect([...new Set(linksOf(parser.parse(source, pageEnv(page, WORDS))))].sort()).toEqual([...links].sort());
});
