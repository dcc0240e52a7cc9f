import { expect, it } from "vitest";
import type { Rolldown } from "vite";
import { filesOfViews } from "./view-files";

function chunk(fileName: string, imports: string[], rest: object = {}): [string, Rolldown.OutputChunk] {
  const chunk = { type: "chunk", fileName, imports, isEntry: false, modules: {}, ...rest };
  return [fileName, chunk as unknown as Rolldown.OutputChunk];
}

const css = (...names: string[]) => ({ viteMetadata: { importedCss: new Set(names), importedAssets: new Set<string>() } });

it("lists each view's unshared files once", () => {
  const bundle = Object.fromEntries([
    chunk("app.js", ["widgets.js"], { isEntry: true, ...css("app.css") }),
    chunk("widgets.js", [], css("widgets.css")),
    chunk("wiki.js", ["page.js", "app.js"], { modules: { "/src/wiki/index.ts": {} }, ...css("wiki.css") }),
    chunk("edit.js", ["page.js", "widgets.js"], { modules: { "/src/editor/index.ts": {} }, ...css("page.css") }),
    chunk("page.js", ["wiki.js"], css("page.css")),
  ]);
  const sources = [
    { addresses: ["/wiki/*", "/read"], code: "/src/wiki/index.ts" },
    { addresses: ["/edit/*"], code: "/src/editor/index.ts" },
    { addresses: ["/settings"], code: undefined },
  ];
  const wiki = { scripts: ["wiki.js", "page.js"], styles: ["wiki.css", "page.css"] };
  expect(filesOfViews(bundle, sources)).toEqual({
    app: { scripts: ["widgets.js"], styles: ["widgets.css"] },
    views: [
      { address: "/wiki/*", ...wiki },
      { address: "/read", ...wiki },
      { address: "/edit/*", scripts: ["edit.js", "page.js", "wiki.js"], styles: ["page.css", "wiki.css"] },
      { address: "/settings", scripts: [], styles: [] },
    ],
  });
});

it("throws when a view has no chunk", () => {
  const bundle = Object.fromEntries([chunk("app.js", [], { isEntry: true })]);
  expect(() => filesOfViews(bundle, [{ addresses: ["/bin"], code: "/src/history/index.ts" }])).toThrow("/src/history/index.ts");
});
