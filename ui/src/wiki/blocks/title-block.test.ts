import { expect, it } from "vitest";
import { renderPage } from "../../markdown/rendering/page-renderer";
import { NO_WORDS } from "../../markdown/page-words";
import { splitAtTitle } from "./title-block";

const html = (blocks: readonly { html: string }[]) => blocks.map((block) => block.html.replace(/<[^>]*>/g, "").trim());

it.each([
  ["# A\n\ntext", [], "A", ["text"]],
  ["---\ntags: x\n---\n\n# A\n\ntext", [], "A", ["text"]],
  ["<!-- note -->\n\n# A", [""], "A", []],
  ["[r]: /x\n\n# A", [], "A", []],
  ["---\ntags: x\n---\n\n#a #b\n\n# A\n\ntext", ["#a #b"], "A", ["text"]],
  ["> # A\n\ntext", [], "A", ["text"]],
  ["---\ntags: x\n---\n\n## A", [], null, ["A"]],
  ["## A\n\n# B", [], null, ["A", "B"]],
  ["---\ntags: x\n---\n", [], null, []],
  ["#\n\ntext", [], null, ["text"]],
  ["intro\n\n# \n\ntext", [], null, ["intro", "text"]],
  ["# ![](asset:logo.png)\n\ntext", [], "", ["text"]],
  ["", [], null, []],
])("the title of %j", (source, lead, title, body) => {
  const split = splitAtTitle(renderPage(source, "/p", NO_WORDS));
  expect([html(split.lead), split.title && html([split.title])[0], html(split.body)]).toEqual([lead, title, body]);
});

it("a heading below long text is no title", () => {
  const { title, body } = splitAtTitle(renderPage(`${"word ".repeat(500)}\n\n# A`, "/p", NO_WORDS));
  expect([title, body.length]).toEqual([null, 2]);
});

it("a long title is shown whole", () => {
  const long = "長".repeat(300);
  expect(splitAtTitle(renderPage(`# ${long}`, "/p", NO_WORDS)).title?.html).toContain(long);
});
