// Uploads a browser's file to a page, under its own name or a similar free one.
import type { AssetsApi } from "../api/backend";

/** Resolves to the name of the stored file. */
export function uploadFree(assets: Pick<AssetsApi, "upload">, pageId: string, wanted: string, contents: Blob): Promise<string> {
  return assets.upload(pageId, fileName(wanted), contents);
}

/** A name that the server accepts: forbidden characters become `_`. */
function fileName(name: string): string {
  return name.normalize("NFC").replace(/[\p{Cc}/\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, "_");
}
