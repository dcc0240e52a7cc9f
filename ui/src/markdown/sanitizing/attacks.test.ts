import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { dom } from "../testing";

// Based on markdown-it's own samples and OWASP's "XSS Filter Evasion Cheat Sheet". The end-to-end tests open the same
// samples.
const attacks = JSON.parse(readFileSync("../tests/fixtures/attacks.json", "utf8")) as string[];

/** Further shapes, which only this test checks. */
const shapes = [
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a xlink:href="javascript:alert(1)">x</a>',
  '<div style="position:fixed;inset:0">x</div>',
  '<base href="https://example.org/">',
  "`<script>alert(1)</script>`",
  "![<img src=x onerror=alert(1)>](asset:a.png)",
  '[a](/b "</a><script>alert(1)</script>")',
  "# <a id=x onclick=alert(1)>h</a>",
  "[[/a|<script>alert(1)</script>]]",
];

const FORBIDDEN =
  "script,style,iframe,frame,object,embed,form,input,button,textarea,select,link,meta,base,svg,math,video,audio,source," +
  "template,noscript,marquee,keygen,bgsound,[style],[srcset],[background],[ping],[formaction],[autofocus],[target],[name]";
const HREF = /^(?:\/wiki\/|\/api\/asset\?|#|https?:\/\/|mailto:)/;

it.each([...attacks, ...shapes])("%j can't run, load or take over", (source) => {
  const page = dom(source);
  expect(page.querySelector(FORBIDDEN)).toBeNull();
  for (const element of page.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on/i);
      if (name === "href") expect(value).toMatch(HREF);
      if (name === "src") expect(value).toMatch(/^\/api\/asset\?/);
      if (name === "id") expect(value).toMatch(/^user-content-/);
    }
  }
});
