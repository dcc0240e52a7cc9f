// A program for `tests/agreement/`: for each line of standard input, a page's source as JSON, it prints the targets of
// the links that the page's parser finds, as JSON on a line.
import { createInterface } from "node:readline";
import { writtenLinks } from "../markdown/links/written-links";

const [, , pagePath = "/"] = process.argv;

for await (const line of createInterface({ input: process.stdin })) {
  // As the page does when it decodes an answer.
  const source = (JSON.parse(line) as string).replace(/^\uFEFF/, "");
  const targets = writtenLinks(source, pagePath).map(({ target }) => target);
  process.stdout.write(`${JSON.stringify(targets)}\n`);
}
