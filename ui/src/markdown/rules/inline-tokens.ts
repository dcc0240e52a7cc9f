// Walking through inline tokens, which several rules do after the text has been parsed.
import type { StateCore, Token } from "markdown-it";

/** Calls `visit` with the children of each inline token; what it returns takes their place. */
export function rewriteInline(state: StateCore, visit: (children: Token[], inline: Token) => Token[]): void {
  for (const token of state.tokens) {
    if (token.type === "inline" && token.children !== null) token.children = visit(token.children, token);
  }
}

/** Words in one line: a gap is one blank, and a full-width one where there is any. The server's titles are the same. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, (gap) => (gap.includes("\u3000") ? "\u3000" : " ")).trim();
}

/** What an escape or an entity gives is text, too. */
const TEXT = new Set(["text", "text_special", "code_inline"]);

export function isText(token: Token | undefined): boolean {
  return token !== undefined && TEXT.has(token.type);
}

/** The words of inline tokens, without markup; pictures give their alternative text. */
export function plainText(children: Token[]): string {
  return children
    .map((token) => {
      if (isText(token) || token.type.startsWith("math")) return token.content;
      if (token.type === "image") return plainText(token.children ?? []);
      return token.type === "softbreak" || token.type === "hardbreak" ? " " : "";
    })
    .join("");
}
