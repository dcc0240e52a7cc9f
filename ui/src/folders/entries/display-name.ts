// Makes a file name safe to display: characters that can't be seen, or would break or reverse the line, are shown as
// escapes.
import { replaceUnshowable } from "../../api/formats/unshowable";

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function displayName(name: string): string {
  return replaceUnshowable(name, (char) => ESCAPES[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
