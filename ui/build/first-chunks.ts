// Puts the code of a first visit into few files: a browser has six connections to a server, and what is asked for over
// a seventh waits for the others. The bundler by itself makes a file of every set of modules that the same views share.
import { fileURLToPath } from "node:url";
import type { Rolldown } from "vite";

/** By what each chunk begins. A module that several need is in the first of them. */
const CHUNKS: Record<string, string> = {
  frame: "../src/main.ts",
  reading: "../src/wiki/index.ts",
};

/** The bundler's modules, as far as they matter here. */
interface Modules {
  getModuleInfo(id: string): Pick<Rolldown.ModuleInfo, "importedIds" | "isEntry"> | null;
}

/** Groups for the bundler: a chunk has all that its first module imports at once. */
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

/** A module and all that it imports at once, directly or not. */
export function importedFrom(first: string, modules: Modules): Set<string> {
  const found = new Set([first]);
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
