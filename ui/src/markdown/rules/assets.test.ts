import { expect, it } from "vitest";
import { createParser } from "../rendering/parser";
import { WORDS } from "../testing";
import { pageEnv } from "../rendering/context";
import { dom } from "../testing";

it.each([
  ["![a](asset:写真.jpg)", "/api/asset?path=%2F%E6%97%85%2F%E4%BA%AC%E9%83%BD&amp;file=%E5%86%99%E7%9C%9F.jpg"],
  ["![a](asset:../奈良/鹿.jpg)", "/api/asset?path=%2F%E6%97%85%2F%E5%A5%88%E8%89%AF&amp;file=%E9%B9%BF.jpg"],
  ["![a](asset:/other/a.png)", "/api/asset?path=%2Fother&amp;file=a.png"],
])("%s", (source, src) => {
  expect(createParser().render(source, pageEnv("/旅/京都", WORDS))).toContain(`src="${src}"`);
});

it("loads pages' pictures on scrolling into view", () => {
  const picture = dom("![苔](asset:moss.jpg)").querySelector("img");
  expect(picture?.getAttribute("loading")).toBe("lazy");
  expect(picture?.getAttribute("alt")).toBe("苔");
});

it.each([
  ["![苔](https://example.org/moss.jpg)", "Not loaded苔https://example.org/moss.jpgOpen"],
  ['<img src="http://example.org/x.png" alt="苔" onerror="alert(1)">', "Not loaded苔http://example.org/x.pngOpen"],
  ['<img src="//example.org/x.png">', "Not loadedhttp://example.org/x.pngOpen"],
  ["![苔](photo.jpg)", "No picture苔photo.jpg"],
  ["![苔](javascript:alert(1))", "No picture苔"],
])("%s is named and not fetched", (source, text) => {
  expect(dom(source).querySelector("img")).toBeNull();
  expect(dom(source).querySelector(".picture-outside")?.textContent).toBe(text);
});

it("opens network pictures outside, except in links", () => {
  const link = dom("![苔](https://example.org/moss.jpg)").querySelector("a");
  expect([link?.getAttribute("href"), link?.dataset["external"], link?.textContent]).toEqual(["https://example.org/moss.jpg", "", "Open"]);
  expect(dom("[![苔](https://example.org/moss.jpg)](/a)").querySelectorAll("a")).toHaveLength(1);
  expect(dom("![苔](photo.jpg)").querySelector("a")).toBeNull();
});

it("cuts an address that is a whole picture", () => {
  const text = dom(`![a](data:image/png;base64,${"A".repeat(5000)})`).textContent;
  expect(text.length).toBeLessThan(200);
});
