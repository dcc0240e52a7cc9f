// The server also reads a page's title (crates/wiki/src/pages/title.rs). The tree, the search and windows must show
// the same.
import { expect, it } from "vitest";
import cases from "../../../../tests/fixtures/titles.json";
import { titleOf } from "../rendering/context";
import { renderPage } from "../rendering/page-renderer";
import { inOneLine } from "../rules/inline-tokens";
import { WORDS } from "../testing";

it.each(cases)("$source has the title and heading $title", ({ source, title }) => {
  const { blocks, outline } = renderPage(source, "/p", WORDS);
  expect(titleOf(outline)).toBe(title);
  if (title === null) return;
  const page = document.createElement("div");
  page.innerHTML = blocks.map(({ html }) => html).join("");
  const heading = page.querySelector("h1");
  for (const silent of heading?.querySelectorAll(".anchor, .footnote-ref") ?? []) silent.remove();
  for (const line of heading?.querySelectorAll("br") ?? []) line.replaceWith(" ");
  for (const picture of heading?.querySelectorAll("img") ?? []) picture.replaceWith(picture.alt);
  expect(inOneLine(heading?.textContent ?? "")).toBe(title);
});
