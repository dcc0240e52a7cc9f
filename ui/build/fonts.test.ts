import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { onlyWoff2 } from "./fonts.ts";

it("leaves one font of each, and nothing to the others", () => {
  const css = readFileSync("node_modules/katex/dist/katex.min.css", "utf8");
  const left = onlyWoff2(css);
  expect(left.match(/url\(/g)?.length).toBe(css.match(/@font-face/g)?.length);
  expect(left).not.toMatch(/\.(?:woff|ttf)\)/);
});
