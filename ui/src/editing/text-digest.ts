/** The part of a page's ETag that depends on the text as it is served. */
export function digestOf(etag: string): string {
  return /-([^-"]*)"$/.exec(etag)?.[1] ?? "";
}
