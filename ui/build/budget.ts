// A size budget for the first visit to a wiki page: the build fails if a browser has to fetch more.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";

/** The budget in KiB, compressed. Excludes the editor, and the code for formulas, diagrams and highlighting. */
export const FIRST_LOAD = 300;

const compressed = promisify(gzip);

interface Parts {
  scripts: string[];
  styles: string[];
}

/** The files that every view needs, and those of the wiki view. */
type ViewFiles = Record<"app" | "wiki", Parts>;

/** The files of a first visit. */
export function firstFiles({ app, wiki }: ViewFiles): string[] {
  const parts = [app, wiki].flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  return [...new Set(["app.js", "app.css", ...parts])];
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
      const views = JSON.parse(await readFile(join(folder, "rooms.json"), "utf8")) as ViewFiles;
      const files = firstFiles(views);
      const sizes = await Promise.all(files.map(async (name) => (await compressed(await readFile(join(folder, name)))).length));
      const total = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
      const list = files.map((name, index) => `${name}: ${Math.ceil((sizes[index] ?? 0) / 1024)}`).join(", ");
      if (total > FIRST_LOAD) this.error(`A first visit fetches ${total} KiB, and ${FIRST_LOAD} are enough (${list})`);
      this.info(`a first visit fetches ${total} KiB`);
    },
  };
}
