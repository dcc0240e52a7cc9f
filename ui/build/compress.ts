// Writes a `.gz` beside every text file of the build, so that the server never compresses at run time. It has scripts and
// styles in this form only.
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|svg|json|txt|html)$/;
const CODE = /\.(?:js|css)$/;
/** The size from which other files are worth it, in bytes. */
const AT_LEAST = 1024;

const deflate = promisify(gzip);

/** A Vite plugin that compresses the written files. */
export function compress(): Plugin {
  let folder = "";
  return {
    name: "fumikura:compress",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async writeBundle() {
      const names = await readdir(folder, { recursive: true });
      await Promise.all(names.filter((name) => TEXT.test(name)).map((name) => compressFile(join(folder, name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  if (!CODE.test(path) && (await stat(path)).size <= AT_LEAST) return;
  const plain = await readFile(path);
  await writeFile(`${path}.gz`, await deflate(plain, { level: 9 }));
}
