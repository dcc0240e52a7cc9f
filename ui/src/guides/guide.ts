// A guide as its readers find it: parts under headings, the words that it quotes from the screen, and the keys of its
// tables. Read as plain CommonMark, because that is how most people see it, and there a mark in Japanese text easily
// marks nothing.
import createMarkdown, { type Token } from "markdown-it";

export interface Part {
  level: number;
  title: string;
  /** What stands in bold. */
  quoted: string[];
  /** Of its tables, without their heads. */
  rows: Row[];
}

export interface Row {
  /** What the row quotes first. */
  label: string | null;
  /** The combinations of keys in it: "Ctrl K". */
  keys: string[];
}

/** What stands before the first heading is no part. */
export function partsOf(source: string): Part[] {
  const parts: Part[] = [];
  const tokens = createMarkdown({ html: true }).parse(source, {});
  let inBody = false;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      parts.push({ level: Number(token.tag.slice(1)), title: tokens[at + 1]?.content ?? "", quoted: [], rows: [] });
    }
    const part = parts.at(-1);
    if (part === undefined) continue;
    if (token.type === "tbody_open") inBody = true;
    if (token.type === "tbody_close") inBody = false;
    if (token.type === "tr_open" && inBody) part.rows.push({ label: null, keys: [] });
    if (token.type !== "inline") continue;
    const { quoted, keys } = readInline(token.children ?? []);
    part.quoted.push(...quoted);
    const row = inBody ? part.rows.at(-1) : undefined;
    if (row === undefined) continue;
    row.label ??= quoted[0] ?? null;
    row.keys.push(...keys);
  }
  return parts;
}

function readInline(tokens: readonly Token[]): { quoted: string[]; keys: string[] } {
  const quoted: string[] = [];
  const combinations: string[][] = [];
  let words: string | null = null;
  let cap: string | null = null;
  let follows = false;
  for (const { type, content } of tokens) {
    if (type === "strong_open") words = "";
    else if (type === "strong_close") {
      quoted.push(words ?? "");
      words = null;
    } else if (content === "<kbd>") cap = "";
    else if (content === "</kbd>") {
      if (follows) combinations.at(-1)?.push(cap ?? "");
      else combinations.push([cap ?? ""]);
      follows = true;
      cap = null;
    } else if (cap !== null) cap += content;
    else {
      if (type === "text" && content.includes("**")) throw new Error(`what is to be bold here is not: ${content}`);
      if (words !== null) words += content;
      // Keys with nothing but a blank between them are pressed together.
      if (content.trim() !== "") follows = false;
    }
  }
  return { quoted, keys: combinations.map((caps) => caps.join(" ")) };
}
