// A size budget for the first visit to a wiki page: the build fails if a browser has to fetch more.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";
import type { ViewList } from "./view-files.ts";

/** The budget in KiB, compressed. Excludes the editor, and the code for formulas, diagrams and highlighting. */
export const FIRST_LOAD = 300;

const compressed = promisify(gzip);

/** The address of the reading view. */
const FIRST_VISIT = "/wiki/*";

/** The files of a first visit. */
export function firstFiles({ app, views }: ViewList): string[] {
  const wiki = views.filter(({ address }) => address === FIRST_VISIT);
  if (wiki.length === 0) throw new Error(`no view has the address ${FIRST_VISIT}`);
  const parts = [app, ...wiki].flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  return [...new Set(["app.js", "app.css", ...parts])];
}

/** Returns the larger of the two catalogues, of which a visitor fetches one. */
async function largestCatalogue(folder: string): Promise<string> {
  const chunks = (await readdir(join(folder, "chunks"))).filter((name) => /^(english|japanese)-[^.]*\.js$/.test(name));
  if (chunks.length !== 2) throw new Error(`there are ${chunks.length} catalogues, and 2 languages`);
  const sizes = await Promise.all(chunks.map(async (name) => (await stat(join(folder, "chunks", name))).size));
  const [first, second] = chunks as [string, string];
  return join("chunks", (sizes[0] ?? 0) > (sizes[1] ?? 0) ? first : second);
}

/** A Vite plugin that checks the sizes of the written files. */
export function budget(): Plugin {
  let folder = "";
  return {
    name: "fumikura:budget",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      const views = JSON.parse(await readFile(join(folder, "views.json"), "utf8")) as ViewList;
      const files = [...firstFiles(views), await largestCatalogue(folder)];
      const sizes = await Promise.all(files.map(async (name) => (await compressed(await readFile(join(folder, name)))).length));
      const total = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
      const list = files.map((name, index) => `${name}: ${Math.ceil((sizes[index] ?? 0) / 1024)}`).join(", ");
      if (total > FIRST_LOAD) this.error(`A first visit fetches ${total} KiB, and ${FIRST_LOAD} are enough (${list})`);
      this.info(`a first visit fetches ${total} KiB`);
    },
  };
}
