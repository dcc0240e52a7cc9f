// The metadata above a page's text. It is hidden if it consists of named fields; else it is shown with the reason, so that
// nothing that was written is missing on the screen.
import type * as Yaml from "js-yaml";
import type { RenderedBlock } from "../../markdown";

export type FrontMatterFault =
  /** Not YAML; `line` counts the lines of the page from 1. */
  | { kind: "syntax"; line: number; reason: string }
  /** YAML that is no list of named fields. */
  | { kind: "no_fields" }
  /** The parser could not be fetched. */
  | { kind: "unread" };

let yaml: typeof Yaml | null = null;

/** Fetches the parser if metadata needs it; null if nothing is to be waited for. */
export function loadFrontMatterParser(frontMatter: RenderedBlock | null): Promise<void> | null {
  if (frontMatter === null || yaml !== null) return null;
  return import("js-yaml").then(
    (parser) => void (yaml = parser),
    // The metadata is then shown as text, and the next page requests the parser again.
    () => {},
  );
}

/** The lines between those of dashes. */
export function frontMatterText(text: string, { end }: RenderedBlock): string {
  const lines = text.split(/\r\n|\r|\n/).slice(1, end);
  const close = lines.findLastIndex((line) => /^---[ \t]*$/.test(line));
  return lines.slice(0, close).join("\n");
}

export function frontMatterFault(metadata: string): FrontMatterFault | null {
  if (yaml === null) return { kind: "unread" };
  try {
    const fields = yaml.load(metadata, { schema: yaml.CORE_SCHEMA });
    const isFields = fields === undefined || fields === null || (typeof fields === "object" && !Array.isArray(fields));
    return isFields ? null : { kind: "no_fields" };
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    // The first line of the page consists of dashes.
    return { kind: "syntax", line: (error.mark?.line ?? 0) + 2, reason: error.reason };
  }
}
