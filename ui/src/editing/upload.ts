// A file of the browser's comes to a page, under its own name or one like it that is free.
import type { AssetsApi } from "../api/backend";

/** Resolves to the name that the file has now. */
export function uploadFree(assets: Pick<AssetsApi, "upload">, pageId: string, wanted: string, contents: Blob): Promise<string> {
  return assets.upload(pageId, fileName(wanted), contents);
}

/** What the server takes for a name: characters that it would refuse become `_`. */
function fileName(name: string): string {
  return name.normalize("NFC").replace(/[\p{Cc}/\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, "_");
}
