// The tests that share one environment, and those that need one of their own.
import { readdirSync, readFileSync } from "node:fs";

const FOLDERS = ["src", "build"];

/** A test that names none of these leaves nothing behind in the document. */
const TOUCHES_THE_DOCUMENT = /@testing-library|\b(document|window|localStorage|HTMLElement)\b/;

/** Returns the files of both groups. An environment of its own costs a test file about a second. */
export function testGroups(): { shared: string[]; own: string[] } {
  const inFolder = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`);
  const files = FOLDERS.flatMap(inFolder).filter((name) => name.endsWith(".test.ts"));
  const touches = (file: string) => TOUCHES_THE_DOCUMENT.test(readFileSync(file, "utf8"));
  return { shared: files.filter((file) => !touches(file)), own: files.filter(touches) };
}
