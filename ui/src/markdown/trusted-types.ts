// Trusted types, which the page's policy asks for (docs/adr/0010-content-security-policy.md).

interface HtmlPolicy {
  createHTML(html: string): string;
}

/** What browsers offer that know trusted types; the objects that it makes stand for strings. */
interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/** A policy that trusts all HTML; none in browsers that know no trusted types. The server lists the names. */
export function createHtmlPolicy(name: string): HtmlPolicy | undefined {
  return (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(name, { createHTML: (html) => html });
}
