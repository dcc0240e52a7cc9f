// The initial text of a new page.
import { nameOfPage } from "../markdown/links/page-path";

/** Characters that Markdown would not show as written. */
const MARKS = /[\\`*[\]<>&$~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<= )#+$/gu;

/** A heading with the page's name; empty for the root page, which has none. */
export function initialText(path: string): string {
  const name = nameOfPage(path);
  return name === "" ? "" : `# ${name.replace(MARKS, (marks) => marks.replace(/./g, "\\$&"))}\n\n`;
}
