// The only way for the application's own HTML into the document: the page's policy lets no other text become elements
// (docs/adr/0010-content-security-policy.md). For HTML that `sanitize.ts` has cleaned, or that a library has escaped.
import { createHtmlPolicy } from "./trusted-types";

const policy = createHtmlPolicy("fumikura");

/** Returns the same HTML for `innerHTML`, `{@html}` or a parser. */
export function trustedHtml(html: string): string {
  // Svelte would treat an empty object as contents.
  return html === "" ? html : (policy?.createHTML(html) ?? html);
}
