import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { onlyWoff2 } from "./fonts.ts";

it("keeps only the WOFF2 file of each font", () => {
  const css = readFileSync("node_modules/katex/dist/katex.min.css", "utf8");
  const left = onlyWoff2(css);
  expect(left.match(/url\(/g)?.length).toBe(css.match(/@font-face/g)?.length);
  expect(left).not.toMatch(/\.(?:woff|ttf)\)/);
});
