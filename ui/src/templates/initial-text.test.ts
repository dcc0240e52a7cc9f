import { expect, it } from "vitest";
import { renderPage } from "../markdown/rendering/page-renderer";
import { NO_WORDS } from "../markdown/page-words";
import { initialText } from "./initial-text";

it.each(["京都", "Kyoto trip", "snake_case", "*a* [b] `c` $d$ ~~e~~", "_a_", "a & b < c", "C #", "1. a", "\\*"])("the heading of /x/%s is its name", (name) => {
  const text = initialText(`/x/${name}`);
  expect(text.endsWith("\n\n")).toBe(true);
  const { blocks } = renderPage(text, `/x/${name}`, NO_WORDS);
  document.body.innerHTML = blocks.map(({ html }) => html).join("");
  expect(document.body.children).toHaveLength(1);
  expect(document.querySelector("h1")?.textContent.trim()).toBe(name);
});

it("the top page starts empty", () => {
  expect(initialText("/")).toBe("");
});
