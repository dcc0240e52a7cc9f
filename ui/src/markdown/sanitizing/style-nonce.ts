/**
 * The nonce that the page's policy requires on style elements. The server writes it into the document
 * (`crates/server/src/frame/`).
 */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}
