// The texts in bold in the user guides are texts of the screen. Parsed as plain CommonMark, because most readers see the
// guides so, and emphasis next to Japanese text easily fails there.
import { readFileSync } from "node:fs";
import createMarkdown, { type Token } from "markdown-it";
import { describe, expect, it } from "vitest";
import { loadCatalogue, type Locale } from "./catalogue";
import type { Message } from "./message";

const GUIDES: Record<Locale, string> = { en: "../docs/USER-GUIDE.md", ja: "../docs/USER-GUIDE.ja.md" };
const locales = Object.keys(GUIDES) as Locale[];

describe.each(locales)("the guide in %s", (locale) => {
  it("has only texts of the screen in bold", async () => {
    const bold = boldTexts(readFileSync(GUIDES[locale], "utf8"));
    const patterns = Object.values(await loadCatalogue(locale)).flatMap(formsOf).flatMap(patternOf);
    expect(bold.length).toBeGreaterThan(100);
    expect(bold.filter((text) => !patterns.some((pattern) => pattern.test(text)))).toEqual([]);
  });
});

it("failing emphasis next to Japanese text is refused", () => {
  expect(() => boldTexts("ここで**開く…**を押します。")).toThrow("開く");
});

/** The texts in bold, except in the first cells of the last chapter's tables: these are symptoms, not controls. */
function boldTexts(source: string): string[] {
  const tokens = createMarkdown({ html: true }).parse(source, {});
  const lastChapter = tokens.findLastIndex(({ type, tag }) => type === "heading_open" && tag === "h2");
  let cell = 0;
  return tokens.flatMap(({ type, children }, at) => {
    if (type === "tr_open") cell = 0;
    if (type === "td_open") cell += 1;
    const isSymptom = at > lastChapter && cell === 1 && tokens[at - 1]?.type === "td_open";
    return type === "inline" && !isSymptom ? boldIn(children ?? []) : [];
  });
}

function boldIn(tokens: readonly Token[]): string[] {
  const texts: string[] = [];
  let isBold = false;
  for (const { type, content } of tokens) {
    if (type === "strong_open") texts.push("");
    if (type === "strong_open" || type === "strong_close") isBold = type === "strong_open";
    else if (isBold) texts.push((texts.pop() ?? "") + content);
    else if (type === "text" && content.includes("**")) throw new Error(`this is not bold, but should be: ${content}`);
  }
  return texts;
}

function formsOf(message: Message): string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

/** A pattern in which a placeholder matches anything. None for a text of placeholders only: it would match everything. */
function patternOf(text: string): RegExp[] {
  const words = text.split(/\{[^}]*\}/);
  if (!words.some((part) => /\p{L}{2}|\p{Script=Han}/u.test(part))) return [];
  const escaped = words.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return [new RegExp(`^${escaped.join(".+")}$`, "su")];
}
