// Writes `rooms.json`: what each room's code is made of, so that the server's HTML can name it all at once and the
// browser need not find one file in another.
import type { Plugin, Rolldown } from "vite";

/** The modules that `src/app/rooms.ts` loads, under the first part of their addresses. */
const ROOMS: Record<string, string> = {
  wiki: "/src/wiki/index.ts",
  edit: "/src/editor/index.ts",
  pictures: "/src/folders/index.ts",
};

interface Parts {
  scripts: string[];
  styles: string[];
}

/** A Vite plugin that names the parts of each room, as files of the build. */
export function rooms(): Plugin {
  return {
    name: "fumikura:rooms",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const source = JSON.stringify(partsOfRooms(bundle));
      this.emitFile({ type: "asset", fileName: "rooms.json", source });
    },
  };
}

/** The chunks of each room with what they import, but for what the page loads first anyway. */
export function partsOfRooms(bundle: Rolldown.OutputBundle): Record<string, Parts> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  return Object.fromEntries(
    Object.entries(ROOMS).map(([room, module]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
      if (chunk === undefined) throw new Error(`no chunk is made of ${module}`);
      const needed = withImports(chunk, bundle);
      const styles = needed.flatMap((part) => [...(part.viteMetadata?.importedCss ?? [])]);
      return [room, { scripts: needed.map(({ fileName }) => fileName), styles: [...new Set(styles)] }];
    }),
  );
}

function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (part: Rolldown.OutputChunk) => {
    if (found.has(part) || part.isEntry) return;
    found.add(part);
    for (const name of part.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") visit(imported);
    }
  };
  visit(chunk);
  return [...found];
}
