// Pictures whose files end early: engines show the upper part without a word.
import type { FoldersApi } from "../api/backend";
import type { EncodedPath } from "../api/names";

/** The kinds of picture that the server judges. */
const JUDGED = /\.(?:jpe?g|jpe|jfif|png|apng|gif|webp|tiff?|bmp|ico)$/iu;

/** Whether the file of a picture ends before the picture does; false also where that can't be learned. */
export async function endsEarly(folders: Pick<FoldersApi, "info">, root: string, path: EncodedPath, signal: AbortSignal): Promise<boolean> {
  if (!JUDGED.test(path)) return false;
  try {
    return (await folders.info(root, path, signal)).is_incomplete && !signal.aborted;
  } catch {
    // The picture is shown all the same, and whatever else is wrong is said where it matters.
    return false;
  }
}
