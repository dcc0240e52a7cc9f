// Writes `views.json`: the addresses and the files of each view, and the files that every view needs. The server answers
// these addresses, and its HTML lists all files of a view, so the browser does not discover one file in another, and also
// loads styles that no script requests.
import { resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { type Plugin, type Rolldown, runnerImport } from "vite";
import { commands } from "./commands.ts";
import { pictureFormats } from "./picture-formats.ts";

interface Files {
  scripts: string[];
  styles: string[];
}

/** A view of `views.json`. */
interface View extends Files {
  /** `/bin`, or `/wiki/*` for all addresses below. */
  address: string;
}

export interface ViewList {
  app: Files;
  views: View[];
}

/** The addresses that one `view.ts` defines, and the module that contains its code, if it has a chunk of its own. */
export interface ViewSource {
  addresses: readonly string[];
  code: string | undefined;
}

/** A Vite plugin that lists the views. */
export function viewFiles(): Plugin {
  let root = "";
  return {
    name: "fumikura:view-files",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_options, bundle) {
      const sources = (await definitions(root)).map(([file, addresses]): ViewSource => ({
        addresses,
        code: this.getModuleInfo(file)?.dynamicallyImportedIds[0],
      }));
      this.emitFile({ type: "asset", fileName: "views.json", source: JSON.stringify(filesOfViews(bundle, sources)) });
    },
  };
}

/** Evaluates the definitions, each of which is an export with `addresses`. */
async function definitions(root: string): Promise<[string, string[]][]> {
  const { module } = await runnerImport<{ definitions: Record<string, object> }>(resolve(root, "build/definitions.ts"), {
    configFile: false,
    root,
    logLevel: "error",
    plugins: [svelte(), commands(), pictureFormats()],
    environments: { inline: { resolve: { noExternal: [/@lucide/] } } },
  });
  return Object.entries(module.definitions).map(([file, exports]) => {
    const views = Object.values(exports).filter((one) => typeof one === "object" && one !== null && "addresses" in one);
    return [resolve(root, "build", file), (views as { addresses: string[] }[]).flatMap(({ addresses }) => addresses)];
  });
}

/** Returns the chunks of each view with their imports. Files that every view needs are listed under `app`. */
export function filesOfViews(bundle: Rolldown.OutputBundle, sources: readonly ViewSource[]): ViewList {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error("no chunk is the page's first");
  const everywhere = withImports(entry, bundle);
  const views = sources.flatMap(({ addresses, code }) => {
    const chunk = chunks.find(({ modules }) => code !== undefined && code in modules);
    if (code !== undefined && chunk === undefined) throw new Error(`no chunk is made of ${code}`);
    const own = chunk === undefined ? [] : withImports(chunk, bundle).filter((part) => !everywhere.includes(part));
    return addresses.map((address) => ({ address, ...filesOf(own) }));
  });
  const { scripts, styles } = filesOf(everywhere);
  return { app: { scripts: scripts.filter(isFurther), styles: styles.filter(isFurther) }, views };
}

/** True if the file is not one of the entry files, whose names the server knows. */
function isFurther(name: string): boolean {
  return name !== "app.js" && name !== "app.css";
}

function filesOf(chunks: Rolldown.OutputChunk[]): Files {
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
