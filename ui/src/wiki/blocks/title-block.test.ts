import { expect, it } from "vitest";
import { renderPage } from "../../markdown/rendering/page-renderer";
import { NO_WORDS } from "../../markdown/page-words";
import { splitAtTitle } from "./title-block";

const html = (blocks: readonly { html: string }[]) => blocks.map((block) => block.html.replace(/<[^>]*>/g, "").trim());

it.each([
  ["# A\n\ntext", [], "A", ["text"]],
  ["---\ntags: x\n---\n\n# A\n\ntext", ["tags: x"], "A", ["text"]],
  ["<!-- note -->\n\n# A", [""], "A", []],
  ["[r]: /x\n\n# A", [], "A", []],
  ["---\ntags: x\n---\n\ntext\n\n# A", [], null, ["tags: x", "text", "A"]],
  ["---\ntags: x\n---\n\n## A", [], null, ["tags: x", "A"]],
  ["---\ntags: x\n---\n", [], null, ["tags: x"]],
  ["", [], null, []],
])("the title of %j", (source, lead, title, body) => {
  const split = splitAtTitle(renderPage(source, "/p", NO_WORDS));
  expect([html(split.lead), split.title && html([split.title])[0], html(split.body)]).toEqual([lead, title, body]);
});
