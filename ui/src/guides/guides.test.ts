// The user guides name controls and keys that exist, and every key.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Locale, MessageKey } from "../i18n/catalogue";
import { keyCaps } from "../keys";
import { type Part, partsOf } from "./guide";
import { messageKeysOf } from "./message-keys";
import { shownKeys, sourceFiles, sourceKeys } from "./source-keys";

const guides: Record<Locale, Part[]> = {
  en: partsOf(readFileSync("../docs/USER-GUIDE.md", "utf8")),
  ja: partsOf(readFileSync("../docs/USER-GUIDE.ja.md", "utf8")),
};
const locales = Object.keys(guides) as Locale[];

const files = sourceFiles();
const keys = files.flatMap((file) => sourceKeys(file)).map(({ file, label, chord }) => ({ file, label, combination: capsOf(chord) }));

/** A key of a table, with the messages that its label may be. */
interface TableKey {
  label: string | null;
  messages: MessageKey[];
  combination: string;
}

/** The parts below a heading of the second level, counted from the end. */
function chapter(locale: Locale, fromEnd: number): Part[] {
  const parts = guides[locale];
  const begins = parts.flatMap(({ level }, at) => (level === 2 ? [at] : []));
  const end = fromEnd === 1 ? undefined : begins.at(1 - fromEnd);
  return parts.slice(begins.at(-fromEnd), end).filter(({ level }) => level > 2);
}

/** The last table lists the keys of the focused element, which no source assigns to an action. */
const keyTables = (locale: Locale) => chapter(locale, 2);
const troubleshooting = (locale: Locale) => chapter(locale, 1);

function tableKeys(tables: readonly Part[], locale: Locale): TableKey[] {
  return tables.flatMap(({ rows }) =>
    rows.flatMap(({ label, keys: combinations }) => {
      const messages = label === null ? [] : messageKeysOf(label, locale);
      return combinations.map((combination) => ({ label, messages, combination }));
    }),
  );
}

function isListed(key: (typeof keys)[number], { messages, combination }: TableKey): boolean {
  return combination === key.combination && messages.includes(key.label as MessageKey);
}

describe.each(locales)("the guide in %s", (locale) => {
  it("has only texts of the screen in bold", () => {
    // The first cells of the troubleshooting tables are messages, not controls.
    const messages = troubleshooting(locale);
    const bold = guides[locale].flatMap((part) => (messages.includes(part) ? part.quoted : [...part.quoted, ...part.rowHeads]));
    expect(bold.length).toBeGreaterThan(100);
    expect(bold.filter((words) => messageKeysOf(words, locale).length === 0)).toEqual([]);
  });

  it("lists every key with its action", () => {
    const listed = tableKeys(keyTables(locale), locale);
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.filter((key) => !listed.some((row) => isListed(key, row)))).toEqual([]);
  });

  it("lists no key without an action", () => {
    const listed = tableKeys(keyTables(locale).slice(0, -1), locale);
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((row) => !keys.some((key) => isListed(key, row)))).toEqual([]);
  });

  it("names every key that a button shows", () => {
    const listed = keyTables(locale).flatMap(({ rows }) => rows.flatMap((row) => row.keys));
    const shown = files.flatMap((file) => shownKeys(file).map((chord) => ({ file, keys: capsOf(chord) })));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((one) => !listed.includes(one.keys))).toEqual([]);
  });
});

function capsOf(chord: string): string {
  return keyCaps(chord, false).join(" ");
}
