import { expect, it } from "vitest";
import { dom } from "../../markdown/testing";
import { nameOfPage } from "../../markdown/links/page-path";
import { pageAddress } from "./page-address";

const PATHS = [
  "/旅/京都", "/a b", "/a (b)", "/a|b", "/a[b]c", "/a]]b", "/[[a]]", "/何?", "/a#b", "/100%", "/a%20b", "/a\\", "/a\\b",
  "/a\\|b", "/`a`", "/<b>a</b>", "/a&amp;b", "/a　", "/*a*", "/a_b_", "/~~a~~", "/$a$", "/\"a\"", "/'a'", "/{a}", "/a!", "/^a",
];
const AROUND = [
  (link: string) => link,
  (link: string) => `before \`code\` ${link} and *after* \`code\``,
  (link: string) => `| a | b |\n| --- | --- |\n| ${link} | c |`,
];

it.each(PATHS.flatMap((path) => AROUND.map((around) => [path, around] as const)))("the address of %j opens that page", (path, around) => {
  for (const link of [`[[${pageAddress(path, "wiki")}]]`, `[text](${pageAddress(path, "plain")})`, `[[${pageAddress(path, "wiki")}\\|text]]`]) {
    const links = dom(around(link)).querySelectorAll("a");
    expect([...links].map((a) => a.dataset["wikiPath"])).toEqual([path]);
    const name = link.includes("text") ? "text" : nameOfPage(path);
    expect(links[0]?.textContent).toBe(name);
  }
});

it("keeps readable characters unencoded", () => {
  expect(pageAddress("/旅/a (b)*", "wiki")).toBe("/旅/a (b)*");
  expect(pageAddress("/旅/a|b", "plain")).toBe("/旅/a%7Cb");
});
