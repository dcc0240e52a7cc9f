import { expect, it } from "vitest";
import { dom } from "../testing";
import { isTag, tagLike } from "./tags";

const tagsIn = (source: string) => [...dom(source).querySelectorAll("a.tag")].map(({ textContent }) => textContent);

it.each([
  ["#a, #旅/京都 (#b-c) #x_y- #か\u3099", ["#a", "#旅/京都", "#b-c", "#x_y", "#か\u3099"]],
  ["a#b ##c #1 # d /x#y &#x27; 本日は#晴 \\#no #-a #/b", []],
  ["# #heading\n\n- #item", ["#heading", "#item"]],
  ["`#a` [#b](/c) <i>#f</i> <a href='/x'>#g</a> $#h$", ["#f"]],
  [`#${"a".repeat(171)}`, []],
  ["***#a***", ["#a"]],
])("the tags in %j", (source, expected) => expect(tagsIn(source)).toEqual(expected));

it("a tag leads to its pages", () => {
  expect(dom("#旅/京都").querySelector("a.tag")?.getAttribute("href")).toBe("/search?q=tag%3A%E6%97%85%2F%E4%BA%AC%E9%83%BD");
});

it.each([
  ["旅/京都", true],
  ["to-do_2", true],
  ["か\u3099", true],
  ["to do", false],
  ["Node.js", false],
  ["2026", false],
  ["/a", false],
  ["a-", false],
  ["a".repeat(171), false],
])("%j is a tag: %j", (name, expected) => expect(isTag(name)).toBe(expected));

it.each([
  [" to do ", "to-do"],
  ["Node.js", "Node-js"],
  ["旅　京都", "旅-京都"],
  ["2026", null],
  ["!", null],
])("the tag like %j", (text, expected) => expect(tagLike(text)).toBe(expected));
