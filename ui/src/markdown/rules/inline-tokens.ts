// Walking through inline tokens, which several rules do after the text has been parsed.
import type { StateCore, Token } from "markdown-it";

/** Calls `visit` with the children of each inline token; what it returns takes their place. */
export function rewriteInline(state: StateCore, visit: (children: Token[], inline: Token) => Token[]): void {
  for (const token of state.tokens) {
    if (token.type === "inline" && token.children !== null) token.children = visit(token.children, token);
  }
}

/** The words of inline tokens, without markup; pictures give their alternative text. */
export function plainText(children: Token[]): string {
  return children
    .map((token) => {
      if (token.type === "text" || token.type === "code_inline" || token.type.startsWith("math")) return token.content;
      if (token.type === "image") return plainText(token.children ?? []);
      return token.type === "softbreak" || token.type === "hardbreak" ? " " : "";
    })
    .join("");
}
