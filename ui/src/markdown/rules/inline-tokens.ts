// Helpers for inline tokens, which several rules process after the text was parsed.
import type { StateCore, Token } from "markdown-it";

/** Calls `visit` with the children of each inline token, and replaces them with the result. */
export function rewriteInline(state: StateCore, visit: (children: Token[], inline: Token) => Token[]): void {
  for (const token of state.tokens) {
    if (token.type === "inline" && token.children !== null) token.children = visit(token.children, token);
  }
}

/**
 * Puts words on one line: whitespace becomes one blank, or a full-width one if it contains one. The server's titles are
 * the same.
 */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, (gap) => (gap.includes("\u3000") ? "\u3000" : " ")).trim();
}

/** The types of tokens that contain text. The results of escapes and entities count as text, too. */
const TEXT = new Set(["text", "text_special", "code_inline"]);

export function isText(token: Token | undefined): boolean {
  return token !== undefined && TEXT.has(token.type);
}

/** Returns the words of inline tokens, without markup. Pictures contribute their alternative text. */
export function plainText(children: Token[]): string {
  return children
    .map((token) => {
      if (isText(token) || token.type.startsWith("math")) return token.content;
      if (token.type === "image") return plainText(token.children ?? []);
      return token.type === "softbreak" || token.type === "hardbreak" ? " " : "";
    })
    .join("");
}
