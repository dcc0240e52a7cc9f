// Bundles the code of a first visit into few files: a browser opens six connections to a server, and further requests
// wait. By default, the bundler creates a file for every set of modules that the same views share.
import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";

/** The first module of each chunk. A module that several chunks need is in the first of them. */
const CHUNKS: Record<string, string> = {
  frame: "../src/main.ts",
  reading: "../src/wiki/index.ts",
};

/** The part of the bundler's module graph that is used here. */
interface Modules {
  getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, "importedIds" | "isEntry"> | null;
}

/** Returns the bundler's groups: a chunk contains everything that its first module imports statically. */
export function firstChunks(): Rolldown.CodeSplittingGroup[] {
  return Object.entries(CHUNKS).map(([name, first], index) => {
    let members: Set<string> | null = null;
    return {
      name: (id, modules) => {
        members ??= importedFrom(fileURLToPath(new URL(first, import.meta.url)), modules);
        return members.has(id) && !modules.getModuleInfo(id)?.isEntry ? name : null;
      },
      debugName: name,
      priority: Object.keys(CHUNKS).length - index,
    };
  });
}

/** Returns a module and all of its static imports, direct and indirect. */
export function importedFrom(first: string, modules: Modules): Set<string> {
  const reachable = new Set([first]);
  for (const id of reachable) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) reachable.add(imported);
  }
  return reachable;
}
