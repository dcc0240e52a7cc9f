// Pictures of pages: `asset:name` becomes the address that returns the file (docs/spec/wiki.md, Files).
import type { MarkdownIt } from "markdown-it";
import { pageOf } from "../rendering/context";
import { addressOf, readDestination } from "../links/destination";
import { rewriteInline } from "./inline-tokens";

/**
 * A markdown-it plugin. The rule `link-targets` handles links to assets; other pictures are resolved after cleaning.
 */
export function assets(md: MarkdownIt): void {
  md.core.ruler.after("footnote_tail", "assets", (state) => {
    const { path } = pageOf(state.env);
    rewriteInline(state, (children) => {
      for (const token of children) {
        if (token.type !== "image") continue;
        const target = readDestination(String(token.attrGet("src") ?? ""), path);
        if (target.kind === "asset") token.attrSet("src", addressOf(target) ?? "");
      }
      return children;
    });
  });
}
