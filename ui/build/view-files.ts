// Writes `rooms.json`: the files of each view, and those that every view needs. The server's HTML lists them all, so
// the browser does not discover one file in another, and also loads styles that no script requests.
import type { Plugin, Rolldown } from "vite";

/** The modules that `src/app/view-loaders.ts` loads, by the first segment of their addresses. */
const VIEWS: Record<string, string> = {
  wiki: "/src/wiki/index.ts",
  edit: "/src/editor/index.ts",
  pictures: "/src/folders/index.ts",
};

interface Parts {
  scripts: string[];
  styles: string[];
}

/** A Vite plugin that lists the built files of each view. */
export function viewFiles(): Plugin {
  return {
    name: "fumikura:view-files",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const source = JSON.stringify(filesOfViews(bundle));
      this.emitFile({ type: "asset", fileName: "rooms.json", source });
    },
  };
}

/** Returns the chunks of each view with their imports. Files that every view needs are listed under `app`. */
export function filesOfViews(bundle: Rolldown.OutputBundle): Record<string, Parts> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error("no chunk is the page's first");
  const everywhere = withImports(entry, bundle);
  const views = Object.entries(VIEWS).map(([name, module]): [string, Parts] => {
    const chunk = chunks.find(({ modules }) => Object.keys(modules).some((id) => id.endsWith(module)));
    if (chunk === undefined) throw new Error(`no chunk is made of ${module}`);
    return [name, partsOf(withImports(chunk, bundle).filter((part) => !everywhere.includes(part)))];
  });
  const { scripts, styles } = partsOf(everywhere);
  const further = { scripts: scripts.filter(isFurther), styles: styles.filter(isFurther) };
  return { app: further, ...Object.fromEntries(views) };
}

/** True if the file is not one of the entry files, whose names the server knows. */
function isFurther(name: string): boolean {
  return name !== "app.js" && name !== "app.css";
}

function partsOf(chunks: Rolldown.OutputChunk[]): Parts {
  const styles = chunks.flatMap((part) => [...(part.viteMetadata?.importedCss ?? [])]);
  return { scripts: chunks.map(({ fileName }) => fileName), styles: [...new Set(styles)] };
}

function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const chunks = new Set<Rolldown.OutputChunk>();
  const visit = (part: Rolldown.OutputChunk) => {
    if (chunks.has(part)) return;
    chunks.add(part);
    for (const name of part.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") visit(imported);
    }
  };
  visit(chunk);
  return [...chunks];
}
