import { expect, it } from "vitest";
import { sanitize, sanitizeAll } from "./sanitize";
import { dom, html, WORDS } from "../testing";

it.each([
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><script>alert(1)</script></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  '<iframe src="/wiki/"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="x"></object><embed src="x">',
  "<form action=/login><input name=token><button>go</button></form>",
  '<a href="javascript:alert(1)">x</a>',
  '<a href="&#x6a;avascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<div style="position:fixed;inset:0">x</div>',
  "<style>body{display:none}</style>",
  '<link rel=stylesheet href="https://example.org/x.css">',
  '<meta http-equiv=refresh content="0;url=https://example.org">',
  '<base href="https://example.org/">',
  '<details ontoggle="alert(1)" open>x</details>',
  "<video src=x onerror=alert(1)></video><audio src=https://example.org/x>",
  '<picture><source srcset="https://example.org/x.png"><img srcset="https://example.org/y.png"></picture>',
  '<table background="https://example.org/x.png"><tr><td>x</td></tr></table>',
  "<template><script>alert(1)</script></template>",
  "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
  "[a](/b \"</a><script>alert(1)</script>\")",
  "`<script>alert(1)</script>`",
  "![<img src=x onerror=alert(1)>](asset:a.png)",
  "- [x] <img src=x onerror=alert(1)>",
  "# <a id=x onclick=alert(1)>h</a>",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "[[/a|<script>alert(1)</script>]]",
])("%s can't run, load or cover the screen", (source) => {
  const page = dom(source);
  const forbidden = "script,style,iframe,object,embed,form,input,button,link,meta,base,svg,math,video,audio,source,template,[style],[srcset],[background]";
  expect(page.querySelector(forbidden)).toBeNull();
  for (const element of page.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on/i);
      if (name === "href" || name === "src") expect(value).toMatch(/^(?:\/wiki\/|\/api\/asset\?|#|https?:|mailto:)/);
    }
  }
  for (const picture of page.querySelectorAll("img")) expect(picture.getAttribute("src")).toMatch(/^\/api\/asset\?/);
});

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
