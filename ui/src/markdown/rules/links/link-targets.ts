// Replaces the destination of a link by the address that it means. A link without a meaning becomes plain text.
import type { MarkdownIt, Token } from "markdown-it";
import { pageOf } from "../../rendering/context";
import { addressOf, readDestination } from "../../links/destination";
import { rewriteInline } from "../inline-tokens";

/** A markdown-it plugin. It must see destinations as written, so it disables markdown-it's own validation. */
export function linkTargets(md: MarkdownIt): void {
  md.validateLink = () => true;
  md.normalizeLink = (written) => written;
  md.core.ruler.after("footnote_tail", "link_targets", (state) => {
    const { path } = pageOf(state.env);
    rewriteInline(state, (children) => {
      const open: Token[] = [];
      for (const token of children) {
        if (token.type === "link_open") {
          aim(token, path);
          open.push(token);
        } else if (token.type === "link_close") {
          token.tag = open.pop()?.tag ?? token.tag;
        }
      }
      return children;
    });
  });
}

function aim(link: Token, pagePath: string): void {
  const written = String(link.attrGet("href") ?? "");
  const address = addressOf(readDestination(written, pagePath));
  if (address !== null) {
    link.attrSet("href", address);
    return;
  }
  link.tag = "span";
  link.attrs = [
    ["class", "link-inert"],
    ["title", written],
  ];
}
