/** What the page's policy asks of style elements. The server writes it into the document (`crates/server/src/frame/`). */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}
