import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Theme = "light" | "dark";

const css = readFileSync("src/styles/tokens.css", "utf8");

/** Replaces some of them. */
const moreContrast = css.slice(css.indexOf("prefers-contrast: more"));

function token(name: string, theme: Theme, from = css): string {
  const match = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(from);
  const colour = match?.[theme === "light" ? 1 : 2];
  if (!colour) throw new Error(`no token --${name}`);
  return colour;
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const papers = ["paper", "paper-raised", "paper-sunken"];
const inks = ["ink", "ink-soft", "ink-faint", "indigo", "seal", "pine", "amber", "plum"];
const texts = [
  ...inks.flatMap((ink) => papers.map((paper) => [ink, paper] as const)),
  ["on-indigo", "indigo"],
  ["on-indigo", "indigo-deep"],
  ["on-seal", "seal"],
  ["indigo", "indigo-wash"],
  ["ink-soft", "indigo-wash"],
  ["ink-faint", "indigo-wash"],
  ["seal", "seal-wash"],
  ["pine", "pine-wash"],
  ["amber", "amber-wash"],
  ["plum", "plum-wash"],
  ...["indigo", "pine", "amber", "seal", "plum"].map((tone) => ["ink", `${tone}-wash`] as const),
] as const;

describe.each<Theme>(["light", "dark"])("in the %s theme", (theme) => {
  it.each(texts)("%s can be read on %s (WCAG AA)", (ink, paper) => {
    expect(contrast(token(ink, theme), token(paper, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(papers)("long texts on %s have WCAG AAA contrast", (paper) => {
    expect(contrast(token("ink", theme), token(paper, theme))).toBeGreaterThanOrEqual(7);
  });

  it.each(papers)("control edges and focus rings show on %s", (paper) => {
    expect(contrast(token("line-control", theme), token(paper, theme))).toBeGreaterThanOrEqual(3);
    expect(contrast(token("indigo", theme), token(paper, theme))).toBeGreaterThanOrEqual(3);
  });

  it.each(papers)("more contrast shows texts and lines on %s", (paper) => {
    for (const ink of ["ink-soft", "ink-faint"]) expect(contrast(token(ink, theme, moreContrast), token(paper, theme))).toBeGreaterThanOrEqual(7);
    for (const line of ["line", "line-strong", "line-control"]) expect(contrast(token(line, theme, moreContrast), token(paper, theme))).toBeGreaterThanOrEqual(3);
  });
});
