// Pictures whose files are truncated: engines show the upper part without any notice.
import type { FoldersApi } from "../../api/backend";
import type { EncodedPath } from "../../api/names";

/** The kinds of picture that the server checks. */
const CHECKED_EXTENSIONS = /\.(?:jpe?g|jpe|jfif|png|apng|gif|webp|tiff?|bmp|ico)$/iu;

/** True if the file of a picture is truncated; false also if that can't be determined. */
export async function isTruncated(folders: Pick<FoldersApi, "info">, root: string, path: EncodedPath, signal: AbortSignal): Promise<boolean> {
  if (!CHECKED_EXTENSIONS.test(path)) return false;
  try {
    return (await folders.info(root, path, signal)).is_incomplete && !signal.aborted;
  } catch {
    // The picture is shown nevertheless, and other errors are reported elsewhere.
    return false;
  }
}
