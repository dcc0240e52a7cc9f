// Uploads a browser's file to a page, under its own name or a similar free one.
import type { AssetsApi } from "../../api/backend";
import { replaceUnshowable } from "../../api/formats/unshowable";

/** Resolves to the name of the stored file. */
export function uploadFree(assets: Pick<AssetsApi, "upload">, pageId: string, wanted: string, contents: Blob): Promise<string> {
  return assets.upload(pageId, fileName(wanted), contents);
}

/** A name that the server accepts: forbidden characters become `_`. */
function fileName(name: string): string {
  return replaceUnshowable(name.normalize("NFC").replaceAll("/", "_"), () => "_");
}
