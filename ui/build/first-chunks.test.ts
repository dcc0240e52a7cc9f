import { expect, it } from "vitest";
import { importedFrom } from "./first-chunks";

it("lists all static imports once, despite cycles", () => {
  const imports: Record<string, string[]> = { main: ["frame", "widgets"], frame: ["widgets", "main"], widgets: ["gone"], wiki: [] };
  const modules = {
    getModuleInfo: (id: string) => {
      const importedIds = imports[id];
      return importedIds === undefined ? null : { importedIds, isEntry: id === "main" };
    },
  };
  expect([...importedFrom("main", modules)]).toEqual(["main", "frame", "widgets", "gone"]);
});
