// Writes `rooms.json`: what each view's code is made of, and what the page needs in every view, so that the server's
// HTML can name it all at once: the browser need not find one file in another, and styles that no script asks for come.
import type { Plugin, Rolldown } from "vite";

/** The modules that `src/app/view-loaders.ts` loads, under the first part of their addresses. */
const VIEWS: Record<string, string> = {
  wiki: "/src/wiki/index.ts",
  edit: "/src/editor/index.ts",
  pictures: "/src/folders/index.ts",
};

interface Parts {
  scripts: string[];
  styles: string[];
}

/** A Vite plugin that names the parts of each view, as files of the build. */
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

/** The chunks of each view with what they import, but for what the page needs in every view: that is `app`'s. */
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

/** Whether it is beside the first files, whose names the server knows. */
function isFurther(name: string): boolean {
  return name !== "app.js" && name !== "app.css";
}

function partsOf(chunks: Rolldown.OutputChunk[]): Parts {
  const styles = chunks.flatMap((part) => [...(part.viteMetadata?.importedCss ?? [])]);
  return { scripts: chunks.map(({ fileName }) => fileName), styles: [...new Set(styles)] };
}

function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>();
  const visit = (part: Rolldown.OutputChunk) => {
    if (found.has(part)) return;
    found.add(part);
    for (const name of part.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") visit(imported);
    }
  };
  visit(chunk);
  return [...found];
}
