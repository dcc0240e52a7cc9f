// Serves `virtual:picture-formats`: the formats of pictures, from the table in docs/FORMATS.md, which `cargo xtask gen` writes.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

const MODULE = "virtual:picture-formats";
/** The columns before those that the page does not need. */
const COLUMNS = ["Format", "Name", "Filter", "Extensions", "Media type"];

/** The rows of the document's first table. */
export function formatsOf(document: string) {
  const lines = document.split("\n").filter((line) => line.startsWith("| "));
  const [heading = [], , ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  if (COLUMNS.some((column, index) => heading[index] !== column)) throw new Error(`docs/FORMATS.md has other columns: ${heading.join(", ")}`);
  return rows.map(([, label = "", filter = "", extensions = "", mime = ""]) => ({
    label,
    filter: codesIn(filter)[0] ?? "",
    mime: codesIn(mime)[0] ?? "",
    extensions: codesIn(extensions).map((extension) => extension.slice(1)),
  }));
}

function codesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code);
}

/** A Vite plugin for the module. */
export function pictureFormats(): Plugin {
  let file = "";
  return {
    name: "fumikura:picture-formats",
    configResolved({ root }) {
      file = resolve(root, "../docs/FORMATS.md");
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      this.addWatchFile(file);
      return `export const PICTURE_FORMATS = ${JSON.stringify(formatsOf(readFileSync(file, "utf8")))};\n`;
    },
  };
}
