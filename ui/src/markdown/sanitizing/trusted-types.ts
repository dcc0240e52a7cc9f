// Trusted types, which the page's policy requires (docs/adr/0010-content-security-policy.md).

interface HtmlPolicy {
  createHTML(html: string): string;
}

/** The API of browsers that support trusted types. The objects that it creates replace strings. */
interface TrustedTypes {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy;
}

/**
 * Creates a policy that trusts all HTML; undefined in browsers without trusted types. The server lists the allowed
 * names.
 */
export function createHtmlPolicy(name: string): HtmlPolicy | undefined {
  return (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(name, { createHTML: (html) => html });
}
