import { expect, it } from "vitest";
import { dom, html } from "../../testing";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

it.each([
  ["[t](/庭)", "/wiki/%E5%BA%AD", "/庭"],
  ["[t](庭)", "/wiki/%E6%97%85/%E5%BA%AD", "/旅/庭"],
  ["[t](../庭#光)", "/wiki/%E5%BA%AD#%E5%85%89", "/庭"],
  ["[t](</a b?c=d>)", "/wiki/a%20b?c=d", "/a b"],
  ["[t][r]\n\n[r]: /庭", "/wiki/%E5%BA%AD", "/庭"],
  ['<a href="/wiki/%E5%BA%AD">t</a>', "/wiki/%E5%BA%AD", "/庭"],
])("%s is a link to a page", (source, href, path) => {
  const link = dom(source).querySelector("a");
  expect(link?.getAttribute("href")).toBe(href);
  expect(link?.dataset["wikiPath"]).toBe(path);
  expect(link?.hasAttribute("data-external")).toBe(false);
});

it("keeps a page's id for the view", () => {
  const link = dom(`[t](page:${ID}#光)`).querySelector("a");
  expect(link?.hasAttribute("href")).toBe(false);
  expect(link?.dataset["pageId"]).toBe(ID);
  expect(link?.dataset["tail"]).toBe("#%E5%85%89");
});

it.each(["[t](https://example.org/a)", "<https://example.org/a>", '<a href="https://example.org/a" target="_top">t</a>'])(
  "%s is marked as external",
  (source) => {
    const link = dom(source).querySelector("a");
    expect(link?.getAttribute("href")).toBe("https://example.org/a");
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.hasAttribute("data-external")).toBe(true);
    expect(link?.hasAttribute("target")).toBe(false);
  },
);

it("turns asset links into server addresses", () => {
  expect(dom("[t](asset:a.pdf)", "/p").querySelector("a")?.getAttribute("href")).toBe("/api/asset?path=%2Fp&file=a.pdf");
});

it.each(["[t](javascript:alert(1))", "[t](file:///etc/passwd)", "[t](data:text/html,x)", "<vbscript:x>", "[t](foo:bar)"])(
  "%s is text",
  (source) => {
    expect(dom(source).querySelector("a")).toBeNull();
    expect(dom(source).querySelector(".link-inert")?.textContent).not.toBe("");
  },
);

it("shows a broken link's label and source", () => {
  expect(html("[さわらないで](javascript:alert(1))")).toBe(
    '<p><span class="link-inert" title="javascript:alert(1)">さわらないで</span></p>',
  );
});
