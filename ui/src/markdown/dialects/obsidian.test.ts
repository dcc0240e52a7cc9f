// The syntax of Obsidian, and what is displayed for it (docs/spec/markdown.md).
import { describe, expect, it } from "vitest";
import { html } from "../testing";

/** The construct, its source, and its HTML without blanks between blocks. */
const CASES: readonly [construct: string, source: string, expected: string][] = [
  ["highlight", "a ==b *c*== d", "<p>a <mark>b <em>c</em></mark> d</p>"],
  ["highlight beside Japanese text", "京都の==「秋」==です", "<p>京都の<mark>「秋」</mark>です</p>"],
  ["no highlight", "a == b, c==d", "<p>a == b, c==d</p>"],
  ["strikethrough", "~~a~~", "<p><s>a</s></p>"],
  ["callout", "> [!note]\n> a", '<div class="callout callout-note"><p class="callout-title">title of note</p><div class="callout-body"><p>a</p></div></div>'],
  ["callout with a title", "> [!tip] **a** b", '<div class="callout callout-tip"><p class="callout-title"><strong>a</strong> b</p></div>'],
  ["folded callout", "> [!faq]- a\n> b", '<details class="callout callout-question"><summary class="callout-title">a</summary><div class="callout-body"><p>b</p></div></details>'],
  ["unfolded callout", "> [!cite]+ a\n> b", '<details class="callout callout-quote" open=""><summary class="callout-title">a</summary><div class="callout-body"><p>b</p></div></details>'],
  ["link to a page", "[[/旅/庭]]", '<p><a href="/wiki/%E6%97%85/%E5%BA%AD" title="/旅/庭" data-wiki-path="/旅/庭">庭</a></p>'],
  ["link with a text", "[[/a|b]]", '<p><a href="/wiki/a" data-wiki-path="/a">b</a></p>'],
  ["link to a heading", "[[/a#b|c]]", '<p><a href="/wiki/a#b" data-wiki-path="/a">c</a></p>'],
  ["link without a path from the top", "[[a]]", "<p>[[a]]</p>"],
  ["formula", "$a^2$", '<p><span class="math">a^2</span></p>'],
  ["inline footnote", "a^[b]", '<p>a<sup class="footnote-ref"><a href="#fn1" id="user-content-fnref1">[1]</a></sup></p>'],
  ["embedded page", "![[/a]]", '<div class="embed-box"><a href="/wiki/a" title="/a" class="embed" data-wiki-path="/a">a</a></div>'],
  ["embedded section", "![[/a#b c]]", '<div class="embed-box"><a href="/wiki/a#b%20c" title="/a#b c" class="embed" data-wiki-path="/a">a#b c</a></div>'],
  ["embedded block", "![[/a#^b1]]", '<div class="embed-box"><a href="/wiki/a#%5Eb1" title="/a#^b1" class="embed" data-wiki-path="/a">a</a></div>'],
  ["embed within a line", "x ![[/a]]", '<p>x <a href="/wiki/a" title="/a" class="embed" data-wiki-path="/a">a</a></p>'],
  ["embed in an item", "- ![[/a]]", '<ul><li><div class="embed-box"><a href="/wiki/a" title="/a" class="embed" data-wiki-path="/a">a</a></div></li></ul>'],
  ["embedded picture", "![[deer.jpg]]", '<p><img src="/api/asset?path=%2F%E6%97%85%2F%E4%BA%AC%E9%83%BD&amp;file=deer.jpg" alt="deer.jpg" loading="lazy" decoding="async"></p>'],
  ["embedded picture with a width", "![[files/deer.jpg|300]]", '<p><img src="/api/asset?path=%2F%E6%97%85%2F%E4%BA%AC%E9%83%BD&amp;file=deer.jpg" alt="deer.jpg" width="300" loading="lazy" decoding="async"></p>'],
  ["embed of another kind of file", "![[a.pdf]]", "<p>![[a.pdf]]</p>"],
  ["embed of a page without a path from the top", "![[a]]", "<p>![[a]]</p>"],
  ["block id", "a ^b1", '<p id="user-content-^b1">a</p>'],
  ["block id of an item", "- a ^b1", '<ul><li id="user-content-^b1">a</li></ul>'],
  ["block id on a line of its own", "a\n^b1", '<p id="user-content-^b1">a</p>'],
  ["block id of the list before it", "- a\n\n^b1", '<ul><li>a</li></ul><div class="block-id" id="user-content-^b1"></div>'],
  ["link to a block", "[[/a#^b1|c]]", '<p><a href="/wiki/a#%5Eb1" data-wiki-path="/a">c</a></p>'],
  ["short link to a block", "[[/a^b1]]", '<p><a href="/wiki/a#%5Eb1" title="/a#^b1" data-wiki-path="/a">a</a></p>'],
  ["short embed of a block", "![[/a^b1]]", '<div class="embed-box"><a href="/wiki/a#%5Eb1" title="/a#^b1" class="embed" data-wiki-path="/a">a</a></div>'],
  ["exponent in a path", "[[/a^2]]", '<p><a href="/wiki/a%5E2" title="/a^2" data-wiki-path="/a^2">a^2</a></p>'],
  ["exponent at the end of a line", "a ^2", "<p>a ^2</p>"],
  ["comment", "a %%b%% c", "<p>a %%b%% c</p>"],
  ["tag", "#tag", '<p><a href="/search?q=tag%3Atag" class="tag">#tag</a></p>'],
];

describe("Obsidian", () => {
  it.each(CASES)("%s", (_construct, source, expected) => {
    expect(html(source).replace(/\n/g, "").replace(/<section class="footnotes">.*/s, "").replace(/<hr class="footnotes-sep">/, "")).toBe(expected);
  });
});
