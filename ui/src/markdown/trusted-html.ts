// The one way for HTML of our own to get into the document: the page's policy lets no other text become elements
// (docs/adr/0010-content-security-policy.md). For HTML that `sanitize.ts` has cleaned, or that a library has escaped.
import { createHtmlPolicy } from "./trusted-types";

const policy = createHtmlPolicy("fumikura");

/** The same HTML, to be given to `innerHTML`, `{@html}` or a parser. */
export function trustedHtml(html: string): string {
  // Svelte takes an empty object for contents.
  return html === "" ? html : (policy?.createHTML(html) ?? html);
}
