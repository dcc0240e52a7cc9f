import { describe, expect, it } from "vitest";
import { PageRenderer } from "../../markdown";
import { originalAddress, withPictureSpace } from "./picture-space";

const WORDS = { remotePicture: "", unknownPicture: "", callout: () => "", leftOut: () => "" };
const PICTURES = [
  { file_name: "wide.jpg", width: 4000, height: 3000 },
  { file_name: "庭 1.png", width: 30, height: 60 },
];

/** The widths and heights of a text's pictures. */
function sizes(source: string, path = "/garden"): (string | null)[][] {
  const html = new PageRenderer(path, WORDS).render(source).blocks.map((block) => withPictureSpace(block.html, path, PICTURES));
  const template = document.createElement("template");
  template.innerHTML = html.join("");
  return [...template.content.querySelectorAll("img")].map((image) => [image.getAttribute("width"), image.getAttribute("height")]);
}

describe("space for the pictures of a page", () => {
  it("is as large as they are", () => {
    expect(sizes("![](asset:wide.jpg)\n\ntext ![](<asset:庭 1.png>)")).toEqual([["4000", "3000"], ["30", "60"]]);
    expect(sizes("![](asset:/garden/wide.jpg)")).toEqual([["4000", "3000"]]);
    expect(sizes("![](asset:wide.jpg)", "/")).toEqual([["4000", "3000"]]);
  });

  it("is only for the page's own known pictures", () => {
    expect(sizes("![](asset:../b/wide.jpg)\n\n![](asset:unknown.png)")).toEqual([[null, null], [null, null]]);
  });

  it("respects and completes sizes set by the writer", () => {
    expect(sizes('<img src="asset:wide.jpg" width="400">')).toEqual([["400", "300"]]);
    expect(sizes('<img src="asset:wide.jpg" width="50%">')).toEqual([["50%", null]]);
    expect(sizes('<img src="asset:wide.jpg" height="50">')).toEqual([[null, "50"]]);
    expect(sizes('<img src="asset:wide.jpg" width="1" height="2">')).toEqual([["1", "2"]]);
  });

  it("does not change text without pictures", () => {
    expect(withPictureSpace("<p>a<br>b</p>", "/", PICTURES)).toBe("<p>a<br>b</p>");
  });
});

describe("the address of a picture", () => {
  const address = (source: string, picture: { file_name: string; width: number; height: number }, density = 1) => {
    const html = new PageRenderer("/garden", WORDS).render(source).blocks.map((block) => withPictureSpace(block.html, "/garden", [picture], density));
    const template = document.createElement("template");
    template.innerHTML = html.join("");
    return template.content.querySelector("img")?.getAttribute("src") ?? "";
  };
  const of = (name: string, width = 4000, height = 3000) => ({ file_name: name, width, height });

  it.each([
    ["as wide as the text", "![](asset:a.jpg)", of("a.jpg"), 1, "&size=768x576&mode=shrink&format=jpg"],
    ["sharp on a dense screen", "![](asset:a.jpg)", of("a.jpg"), 2, "&size=1536x1152&mode=shrink&format=jpg"],
    ["as wide as written", "![|200](asset:a.png)", of("a.png"), 1, "&size=256x192&mode=shrink&format=webp"],
    ["of a small picture", "![](asset:a.jpg)", of("a.jpg", 900, 600), 1, ""],
    ["of a very tall picture", "![](asset:a.jpg)", of("a.jpg", 2000, 40000), 1, ""],
    ["of a picture that may move", "![](asset:a.gif)", of("a.gif"), 1, ""],
  ])("%s", (_case, source, picture, density, end) => {
    const base = `/api/asset?path=%2Fgarden&file=${picture.file_name}`;
    expect(address(source, picture, density)).toBe(base + end);
    expect(originalAddress(base + end)).toBe(base);
  });
});
