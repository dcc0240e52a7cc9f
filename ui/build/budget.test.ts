import { expect, it } from "vitest";
import { firstFiles } from "./budget.ts";

it("lists a wiki page's first-frame files once", () => {
  const app = { scripts: ["chunks/page.js"], styles: ["assets/widgets.css"] };
  const wiki = { scripts: ["chunks/wiki.js", "chunks/page.js"], styles: ["assets/page.css", "app.css"] };
  const bin = { address: "/bin", scripts: ["chunks/bin.js"], styles: [] };
  expect(firstFiles({ app, views: [bin, { address: "/wiki/*", ...wiki }] })).toEqual([
    "app.js",
    "app.css",
    "chunks/page.js",
    "assets/widgets.css",
    "chunks/wiki.js",
    "assets/page.css",
  ]);
});
