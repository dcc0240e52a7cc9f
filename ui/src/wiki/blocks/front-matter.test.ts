import { expect, it } from "vitest";
import { NO_WORDS } from "../../markdown/page-words";
import { renderPage } from "../../markdown/rendering/page-renderer";
import { frontMatterFault, frontMatterText, loadFrontMatterParser } from "./front-matter";
import { splitAtTitle } from "./title-block";

const partsOf = (source: string) => splitAtTitle(renderPage(source, "/p", NO_WORDS)).frontMatter;

it("metadata whose parser is missing counts as unread", () => {
  expect(frontMatterFault("a: 1")).toEqual({ kind: "unread" });
});

it("pages without metadata need no parser", () => {
  expect(loadFrontMatterParser(partsOf("# A"))).toBeNull();
});

it.each([
  ["tags: [x, 京都]\ndate: 2026-11-20", null],
  ["", null],
  ["# only a comment", null],
  ["title: a: b", { kind: "syntax", line: 2, reason: expect.any(String) as string }],
  ["a: 1\n\tb: 2", { kind: "syntax", line: 3, reason: expect.any(String) as string }],
  ["a: 1\na: 2", { kind: "syntax", line: 3, reason: expect.any(String) as string }],
  ["just a sentence", { kind: "no_fields" }],
  ["- a\n- b", { kind: "no_fields" }],
])("the fault in %j", async (metadata, expected) => {
  await loadFrontMatterParser(partsOf("---\na: 1\n---\n"));
  expect(frontMatterFault(metadata)).toEqual(expected);
});

it.each(["---\na: 1\nb: 2\n---\n\ntext", "---\r\na: 1\r\nb: 2\r\n---  \r\ntext"])("the metadata of %j", (source) => {
  const block = partsOf(source);
  expect(block && frontMatterText(source, block)).toBe("a: 1\nb: 2");
});
