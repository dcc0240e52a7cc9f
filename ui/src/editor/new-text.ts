// What a page that is not written yet begins with.
import { nameOfPage } from "../markdown";

/** What Markdown would not show as it is written. */
const MARKS = /[\\`*[\]<>&$~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<= )#+$/gu;

/** A heading with the page's name; nothing for the top page, which has none. */
export function newText(path: string): string {
  const name = nameOfPage(path);
  return name === "" ? "" : `# ${name.replace(MARKS, (marks) => marks.replace(/./g, "\\$&"))}\n\n`;
}

/** Whether a text holds no more than what a new page begins with. */
export function isUnwritten(text: string, path: string): boolean {
  return ["", newText(path).trim()].includes(text.trim());
}
