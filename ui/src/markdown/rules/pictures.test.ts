import { describe, expect, it } from "vitest";
import { dom } from "../testing";

/** The alternative text, width and height of the first picture. */
function picture(source: string) {
  const image = dom(source).querySelector("img");
  return [image?.alt, image?.getAttribute("width") ?? null, image?.getAttribute("height") ?? null];
}

describe("the size of a picture", () => {
  it.each([
    ["![Deer|200](asset:deer.jpg)", ["Deer", "200", null]],
    ["![Deer|200x150](asset:deer.jpg)", ["Deer", "200", "150"]],
    ["![|200](asset:deer.jpg)", ["", "200", null]],
    ["![A *red* deer | 9999](asset:deer.jpg)", ["A red deer", "9999", null]],
    ["![a|b|200](asset:deer.jpg)", ["a|b", "200", null]],
    ["![[deer.jpg|200x150]]", ["deer.jpg", "200", "150"]],
    ["![[deer.jpg|Deer|200]]", ["Deer", "200", null]],
    ["| a |\n|---|\n| ![Deer\\|200](asset:deer.jpg) |", ["Deer", "200", null]],
  ])("%s", (source, expected) => {
    expect(picture(source)).toEqual(expected);
  });

  it.each([
    ["![Deer|0](asset:deer.jpg)", "Deer|0"],
    ["![Deer|99999](asset:deer.jpg)", "Deer|99999"],
    ["![Deer|abc](asset:deer.jpg)", "Deer|abc"],
    ["![Deer|200x0](asset:deer.jpg)", "Deer|200x0"],
    ["![Deer|-5](asset:deer.jpg)", "Deer|-5"],
    ["![Deer|20%](asset:deer.jpg)", "Deer|20%"],
    ["![Deer|`200`](asset:deer.jpg)", "Deer|200"],
    ["![[deer.jpg|0]]", "0"],
  ])("%s is text", (source, text) => {
    expect(picture(source)).toEqual([text, null, null]);
  });
});

describe("the caption of a picture", () => {
  it.each([
    ['![Deer](asset:deer.jpg "In *autumn* <b>")', "In *autumn* <b>"],
    ['[![Deer|20](asset:deer.jpg "In autumn")](/a)', "In autumn"],
    ['- ![Deer](asset:deer.jpg "In autumn")', "In autumn"],
    ['> ![Deer](asset:deer.jpg "In autumn")', "In autumn"],
  ])("%s", (source, text) => {
    const figure = dom(source).querySelector("figure");
    expect(figure?.querySelector("img")?.title).toBe("");
    expect(figure?.lastElementChild?.localName).toBe("figcaption");
    expect(figure?.querySelector("figcaption")?.textContent).toBe(text);
  });

  it("is a tooltip within a line", () => {
    const page = dom('Here: ![Deer](asset:deer.jpg "In autumn")');
    expect([page.querySelector("figure"), page.querySelector("img")?.title]).toEqual([null, "In autumn"]);
  });

  it("needs words", () => {
    expect(dom('![Deer](asset:deer.jpg " ")').querySelector("figure")).toBeNull();
  });
});
