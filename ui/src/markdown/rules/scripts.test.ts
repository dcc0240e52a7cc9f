import { expect, it } from "vitest";
import { html } from "../testing";

const inline = (source: string) => html(source).replace(/^<p>|<\/p>$/g, "");

it.each([
  ["H~2~O", "H<sub>2</sub>O"],
  ["x^2^ + x^n+1^", "x<sup>2</sup> + x<sup>n+1</sup>"],
  ["10^−3^", "10<sup>−3</sup>"],
  ["a~max~, 1^er^", "a<sub>max</sub>, 1<sup>er</sup>"],
  ["f^(n)^", "f<sup>(n)</sup>"],
])("%s has a script", (source, expected) => {
  expect(inline(source)).toBe(expected);
});

it.each(["3~5月と7~9月", "10~20~30", "(^o^)", "(^_^)/(^o^)です(^^)", "a ~ b ~ c", "~/a と ~/b", "1^ ^2", "a ^b\nc ^d", "x^京都^", "~~~"])(
  "%j has none",
  (source) => {
    expect(html(source)).not.toMatch(/<su[bp]>/);
  },
);

it("strikethrough and inline footnotes stay", () => {
  expect(inline("~~a~~")).toBe("<s>a</s>");
  const page = html("a^[one]^[two] b^2^[c](/d)");
  expect(page.match(/footnote-item/g)).toHaveLength(2);
  expect(page).toContain('<sup>2</sup><a href="/wiki/d"');
});

it("links take precedence over superscripts in addresses", () => {
  expect(inline("[a^b](/c^d)")).toContain('href="/wiki/c%5Ed"');
});
