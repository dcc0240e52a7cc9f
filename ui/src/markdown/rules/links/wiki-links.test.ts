import { expect, it } from "vitest";
import { renderPage } from "../../rendering/page-renderer";
import { dom, html, WORDS } from "../../testing";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

it.each([
  ["[[/庭]]", "/庭", "庭"],
  ["[[/旅/金沢|かなざわ]]", "/旅/金沢", "かなざわ"],
  ["[[ /a b | c ]]", "/a b", "c"],
  ["[[/]]", "/", "/"],
  ["[[/庭#光]]", "/庭", "庭#光"],
  ["[[/旅/何%3F]]", "/旅/何?", "何?"],
  ["[[/庭\\|にわ]]", "/庭", "にわ"],
])("%s becomes %s", (source, path, text) => {
  const link = dom(source).querySelector("a");
  expect(link?.dataset["wikiPath"]).toBe(path);
  expect(link?.textContent).toBe(text);
});

it("takes a page's id", () => {
  expect(dom(`[[page:${ID}|庭]]`).querySelector("a")?.dataset["pageId"]).toBe(ID);
});

it("works between words and inside emphasis", () => {
  expect(dom("道は**[[/庭]]**へ").querySelector("strong a")?.textContent).toBe("庭");
});

it.each(["[[1, 2]]", "[[a]]", "[[/a", "`[[/a]]`", "[[]]", "\\[[/a]]"])("%s is text", (source) => {
  expect(dom(source).querySelector("a")).toBeNull();
});

it("ignores code fences", () => {
  expect(html("```\n[[/a]]\n```")).not.toContain("<a");
});

it.each([
  ["[[/旅/京都]]", "京都の旅"],
  ["[[/旅/%E4%BA%AC%E9%83%BD#寺]]", "京都の旅#寺"],
  ["[[/旅/京都|古都]]", "古都"],
  ["[[/旅/奈良]]", "奈良"],
  ["[[/tags]]", "<b>&"],
])("%s shows the title of its page", (source, text) => {
  const titleOfPage = (path: string) => ({ "/旅/京都": "京都の旅", "/tags": "<b>&" })[path] ?? null;
  const box = document.createElement("div");
  box.innerHTML = renderPage(`# ${source}`, "/p", { ...WORDS, titleOfPage }).blocks.map((block) => block.html).join("");
  expect(box.querySelector("a")?.textContent).toBe(text);
});
