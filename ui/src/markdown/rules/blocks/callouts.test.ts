import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CALLOUT_ALIASES, CALLOUT_KINDS } from "../../callout-kinds";
import { dom, html } from "../../testing";

const shown = (source: string) => {
  const callout = dom(source).querySelector(".callout");
  const kind = /callout-([a-z]+)/.exec(callout?.className ?? "")?.[1];
  return [kind, callout?.querySelector(".callout-title")?.textContent, callout?.querySelector(".callout-body")?.textContent.trim()];
};

it.each([
  ["> [!NOTE]\n> text", ["note", "title of note", "text"]],
  ["> [!tip] 三脚\n> 本文", ["tip", "三脚", "本文"]],
  ["> [!tip] 三脚\n> 本文\n>\n> 二つ目", ["tip", "三脚", "本文\n二つ目"]],
  ["> [!warning]\n>\n> - one", ["warning", "title of warning", "one"]],
  ["> [!bug] only a title", ["bug", "only a title", undefined]],
  ["> [!faq]\n> text", ["question", "title of question", "text"]],
  ["> [!my-own]\n> text", ["note", "My-own", "text"]],
  ["> [!my-own] *title*\n> text", ["note", "title", "text"]],
  ["> [!info|wide] a\n> b", ["info", "a", "b"]],
  ["- > [!tip] a\n  > b", ["tip", "a", "b"]],
])("%j is a callout", (source, expected) => {
  expect(shown(source)).toEqual(expected);
});

it.each(["> text", "> [!]\n> a", "> \\[!note]\n> a", "> [!note]x\n> a", "> a [!note]", "[!note] a", "> `[!note]`", "> # [!note]"])(
  "%j is no callout",
  (source) => {
    expect(dom(source).querySelector(".callout")).toBeNull();
  },
);

it("folds only with a sign after the kind", () => {
  const folded = (sign: string) => dom(`> [!tip]${sign} a\n> b`).querySelector("details.callout:has(> summary.callout-title)");
  expect(folded("")).toBeNull();
  expect(folded("-")?.hasAttribute("open")).toBe(false);
  expect(folded("+")?.hasAttribute("open")).toBe(true);
});

it("nests in each other", () => {
  const page = dom("> [!question] a\n> > [!todo] b\n> > > c\n>\n> d");
  expect(page.querySelector(".callout-question .callout-todo blockquote")?.textContent.trim()).toBe("c");
  expect(page.querySelector(".callout-question > .callout-body > p")?.textContent).toBe("d");
});

it("keeps links, tasks and footnotes", () => {
  const page = dom("> [!note] [a](/b)\n> - [ ] c[^1]\n\n[^1]: d");
  expect(page.querySelector(".callout-title a")?.getAttribute("data-wiki-path")).toBe("/b");
  expect(page.querySelectorAll(".callout .task-box, .callout .footnote-ref")).toHaveLength(2);
});

it("raw HTML gets only a callout's classes", () => {
  expect(html('<div class="callout callout-note toast">a</div>')).toBe('<div class="callout callout-note">a</div>');
});

describe("the kinds", () => {
  it("all have a picture", () => {
    for (const kind of CALLOUT_KINDS) expect(readFileSync(`src/markdown/callout-icons/${kind}.svg`, "utf8")).toContain("<svg");
  });

  it("have no name twice", () => {
    for (const alias of CALLOUT_ALIASES.keys()) expect(CALLOUT_KINDS).not.toContain(alias);
  });
});
