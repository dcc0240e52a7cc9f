import { expect, it } from "vitest";
import { renderPage } from "../../markdown/rendering/page-renderer";
import { readDestination } from "../../markdown/links/destination";
import { assetLink } from "./asset-link";

it.each([
  [{ name: "moss.png", isPicture: true }, "![](asset:moss.png)"],
  [{ name: "苔寺 1.jpg", isPicture: true }, "![](asset:苔寺%201.jpg)"],
  [{ name: "a(1).pdf", isPicture: false }, "[a(1).pdf](asset:a%281%29.pdf)"],
  [{ name: "a|b.png", isPicture: true }, "![](asset:a%7Cb.png)"],
  [{ name: "[draft]_v_1.txt", isPicture: false }, "[\\[draft\\]\\_v_1.txt](asset:[draft]_v_1.txt)"],
])("%j becomes %s", (file, expected) => {
  expect(assetLink(file)).toBe(expected);
});

it.each(["a b.png", "100%.txt", "a%20b", "a#b?c.png", "全角　空白.png", "a\\b", "&amp;.txt", "<x>.txt", "`c`.md", "a_b_c.pdf", "*x*", "![a", "~~s~~"])(
  "the link to %j opens and names it",
  (name) => {
    const page = document.createElement("div");
    const { blocks } = renderPage(assetLink({ name, isPicture: false }), "/p", { remotePicture: "", unknownPicture: "", callout: () => "", leftOut: () => "" });
    page.innerHTML = blocks[0]?.html ?? "";
    const link = page.querySelector("a");
    expect(link?.textContent).toBe(name);
    const url = new URL(link?.getAttribute("href") ?? "", "http://x/");
    expect(url.searchParams.get("file")).toBe(name);
    expect(url.searchParams.get("path")).toBe("/p");
    const [, address = ""] = /\]\((.*)\)$/.exec(assetLink({ name, isPicture: true })) ?? [];
    expect(readDestination(address, "/p")).toEqual({ kind: "asset", path: "/p", file: name });
  },
);
