import { expect, it } from "vitest";
import { sanitize, sanitizeAll } from "./sanitize";
import { dom, html, WORDS } from "../testing";

it("keeps an anchor without a link", () => {
  const mark = dom('a <a id="x"></a><a name="y">b</a>').querySelector("a");
  expect([mark?.id, mark?.getAttribute("href"), mark?.dataset["wikiPath"]]).toEqual(["user-content-x", null, undefined]);
});

it("prefixes ids so pages can't shadow the application", () => {
  const page = dom('<div id="wiki-root">a</div><a name="getElementById">b</a>');
  expect(page.querySelector("#user-content-wiki-root")).not.toBeNull();
  expect(page.querySelector("[id=wiki-root],[name=getElementById]")).toBeNull();
});

it("prevents pages from imitating the application", () => {
  const page = dom('<div class="shell toast task" role="dialog" tabindex="5" data-wiki-path="/x" data-testid="y">a</div>');
  expect(page.innerHTML).toBe('<div class="task">a</div>');
});

it("keeps the elements of prose", () => {
  const source = '<details open><summary>s</summary><p>t</p></details><ruby>庭<rt>にわ</rt></ruby><kbd>E</kbd><mark>m</mark>';
  expect(html(source)).toContain("<ruby>庭<rt>にわ</rt></ruby>");
  expect(dom(source).querySelector("details[open] > summary")).not.toBeNull();
});

it("keeps the text around a frameset", () => {
  expect(dom("<frameset><frame src=x></frameset>\n\n*a*").textContent.trim()).toBe("a");
  expect(dom("<frameset>a</frameset>").textContent.trim()).toBe("a");
});

it("cleans many as it cleans one", () => {
  const blocks = ["<p>a</p>", '<p><a href="javascript:x">b</a></p>', "", "<ul><li>c</li></ul>\n"];
  expect(sanitizeAll(blocks, "/p", WORDS)).toEqual(blocks.map((block) => sanitize(block, "/p", WORDS)));
});

it("contains each block", () => {
  const blocks = ["<p>a</p>", "</div><p>b", "<p>c</p>"];
  expect(sanitizeAll(blocks, "/p", WORDS)).toEqual(blocks.map((block) => sanitize(block, "/p", WORDS)));
});

it("does not change clean HTML", () => {
  const once = html('# 庭\n\n[a](/b) [c](https://example.org) ![d](asset:e.png)\n\n- [x] f\n\n<a href="/wiki/x">g</a>');
  expect(sanitize(once, "/旅/京都", WORDS).trim()).toBe(once);
});
