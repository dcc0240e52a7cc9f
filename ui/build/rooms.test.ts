import { expect, it } from "vitest";
import type { Rolldown } from "vite";
import { partsOfRooms } from "./rooms";

function chunk(fileName: string, imports: string[], rest: object = {}): [string, Rolldown.OutputChunk] {
  const chunk = { type: "chunk", fileName, imports, isEntry: false, facadeModuleId: null, ...rest };
  return [fileName, chunk as unknown as Rolldown.OutputChunk];
}

const css = (...names: string[]) => ({ viteMetadata: { importedCss: new Set(names), importedAssets: new Set<string>() } });

it("names a room's chunks and styles, with those that they import, once each", () => {
  const bundle = Object.fromEntries([
    chunk("app.js", [], { isEntry: true }),
    chunk("wiki.js", ["page.js", "app.js"], { facadeModuleId: "/x/src/wiki/index.ts", ...css("wiki.css") }),
    chunk("edit.js", ["page.js"], { facadeModuleId: "/x/src/editor/index.ts", ...css("page.css") }),
    chunk("pictures.js", [], { facadeModuleId: "/x/src/folders/index.ts" }),
    chunk("page.js", ["wiki.js"], css("page.css")),
  ]);
  expect(partsOfRooms(bundle)).toEqual({
    wiki: { scripts: ["wiki.js", "page.js"], styles: ["wiki.css", "page.css"] },
    edit: { scripts: ["edit.js", "page.js", "wiki.js"], styles: ["page.css", "wiki.css"] },
    pictures: { scripts: ["pictures.js"], styles: [] },
  });
});

it("fails the build when a room has lost its chunk", () => {
  expect(() => partsOfRooms({})).toThrow("/src/wiki/index.ts");
});
