import { tests } from "commonmark-spec";
import { describe, expect, it } from "vitest";
import differences from "./commonmark-differences.json";
import { pageEnv } from "../rendering/context";
import { createParser } from "../rendering/parser";
import { WORDS } from "../testing";

// The examples of the CommonMark specification, rendered with the configuration of pages, before cleaning. Deliberate
// differences are listed with their reasons. Any other difference fails, and so does an outdated reason.
const parser = createParser();
const reasons = new Map(differences.flatMap(({ reason, examples }) => examples.map((number) => [number, reason] as const)));
const examples = tests.map(({ number, section, markdown, html }) => ({
  name: `${number} (${section})`,
  number,
  ours: plain(parser.render(tabs(markdown), pageEnv("/p", WORDS))),
  theirs: plain(tabs(html)),
}));


function tabs(text: string): string {
  return text.replaceAll("→", "\t");
}

/** Removes the anchors of headings, and normalizes the form of void elements. */
function plain(html: string): string {
  return html
    .replace(/<a class="anchor"[^>]*><\/a>/g, "")
    .replace(/<h([1-6]) id="[^"]*"/g, "<h$1")
    .replace(/<(br|hr|img)\b([^>]*?) ?\/?>/g, "<$1$2>")
    .trim();
}

it("is whole", () => {
  expect(examples).toHaveLength(652);
  expect(reasons.size).toBe(differences.flatMap((entry) => entry.examples).length);
});

describe("as CommonMark says", () => {
  it.each(examples.filter(({ number }) => !reasons.has(number)))("$name", ({ ours, theirs }) => {
    expect(ours).toBe(theirs);
  });
});

describe.each(differences)("$reason", ({ examples: numbers }) => {
  it.each(numbers)("example %i differs still", (number) => {
    const { ours, theirs } = examples.find((example) => example.number === number) ?? {};
    expect(ours).not.toBe(theirs);
  });
});

it("links to pages differ only in their addresses", () => {
  const withoutAddresses = (html: string) => html.replace(/ href="[^"]*"/g, "").replaceAll("<blockquote>\n</blockquote>", "<blockquote></blockquote>");
  for (const number of differences[0]?.examples ?? []) {
    const { ours = "", theirs = "" } = examples.find((example) => example.number === number) ?? {};
    expect(withoutAddresses(ours)).toBe(withoutAddresses(theirs));
  }
});
