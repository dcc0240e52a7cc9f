// A guide as its readers see it: parts under headings, texts in bold, and the keys of its tables. Parsed as
// plain CommonMark, because most readers see it so, and emphasis next to Japanese text easily fails there.
import createMarkdown, { type Token } from "markdown-it";

export interface Part {
  level: number;
  title: string;
  /** The texts in bold, except those in `rowHeads`. */
  quoted: string[];
  /** The texts in bold in the first cells of its tables. */
  rowHeads: string[];
  /** The rows of its tables, without the heads. */
  rows: Row[];
}

export interface Row {
  /** The first text in bold of the row. */
  label: string | null;
  /** The combinations of keys in it: "Ctrl K". */
  keys: string[];
}

/** Text before the first heading is no part. */
export function partsOf(source: string): Part[] {
  const parts: Part[] = [];
  const tokens = createMarkdown({ html: true }).parse(source, {});
  let inBody = false;
  let cell = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      parts.push({ level: Number(token.tag.slice(1)), title: tokens[at + 1]?.content ?? "", quoted: [], rowHeads: [], rows: [] });
    }
    const part = parts.at(-1);
    if (part === undefined) continue;
    if (token.type === "tbody_open") inBody = true;
    if (token.type === "tbody_close") inBody = false;
    if (token.type === "tr_open") cell = 0;
    if (token.type === "tr_open" && inBody) part.rows.push({ label: null, keys: [] });
    if (token.type === "td_open") cell += 1;
    if (token.type !== "inline") continue;
    const { quoted, keys } = readInline(token.children ?? []);
    (inBody && cell === 1 ? part.rowHeads : part.quoted).push(...quoted);
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
      // Keys with only a blank between them are pressed together.
      if (content.trim() !== "") follows = false;
    }
  }
  return { quoted, keys: combinations.map((caps) => caps.join(" ")) };
}
