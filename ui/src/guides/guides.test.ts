// The user guides match the program: its texts, its keys, its messages.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en, type Locale, type MessageKey } from "../i18n/catalogue";
import { keyCaps } from "../keys";
import { type Part, partsOf } from "./guide";
import { isSaidElsewhere, messageKeysOf } from "./quotable";
import { type SourceKey, shownKeys, sourceFiles, sourceKeys } from "./source-keys";

const guides: Record<Locale, Part[]> = {
  en: partsOf(readFileSync("../docs/USER-GUIDE.md", "utf8")),
  ja: partsOf(readFileSync("../docs/USER-GUIDE.ja.md", "utf8")),
};
const locales = Object.keys(guides) as Locale[];

/**
 * The sources whose keys each table lists, in the order of the tables. One more table follows, of keys that belong to
 * the focused element.
 */
const TABLES: readonly (readonly string[])[] = [
  ["app/RunningJobs.svelte", "app/ToastList.svelte", "app/TopBar.svelte", "app/global-shortcuts.ts", "app/routes.ts"],
  ["app/page-actions.ts", "assets/AssetsPanel.svelte", "search/MatchBar.svelte", "wiki/WikiView.svelte", "wiki/links/Backlinks.svelte"],
  ["editor/PageEditor.svelte", "editor/AutosaveOffers.svelte", "editor/SaveProblems.svelte", "editor/Workbench.svelte", "editor/files/AddFile.svelte"],
  ["history/DiffView.svelte", "history/HistoryView.svelte"],
  ["assets/TrashedFiles.svelte", "editing/DeletedPageNotice.svelte", "history/TrashView.svelte", "history/TrashedPageView.svelte"],
  ["pages/PageListView.svelte"],
  ["search/ScopeOptions.svelte", "search/SearchView.svelte"],
  ["assets/OrphanedAssetsView.svelte"],
  ["archive/ArchiveSection.svelte"],
  ["cache/ExpiryFailuresSection.svelte", "cache/GroupsSection.svelte", "cache/RunsSection.svelte", "cache/UsageSection.svelte"],
  ["folders/compare/Compare.svelte", "folders/PicturesView.svelte", "folders/FolderView.svelte", "folders/roots/RootList.svelte", "folders/describe/description-dialog.svelte.ts", "folders/file-ops/file-menu.ts", "folders/hash-records/folder-hashes.svelte.ts", "folders/folder-shortcuts.ts", "folders/marks/mark-shortcuts.ts", "folders/selection/selection-shortcuts.ts", "folders/stage/zoom-shortcuts.ts", "folders/viewer/viewer-shortcuts.ts"],
  ["hashes/RecordNameSection.svelte", "hashes/HashesView.svelte", "hashes/RecordDetails.svelte", "hashes/RecordRepair.svelte", "hashes/RecordsSection.svelte", "hashes/ReportSection.svelte"],
  ["jobs/JobLine.svelte"],
];

const files = sourceFiles();
const keys = files.flatMap((file) => sourceKeys(file));

/** The parts below a heading of the second level, counted from the end. */
function chapter(locale: Locale, fromEnd: number): Part[] {
  const parts = guides[locale];
  const begins = parts.flatMap(({ level }, at) => (level === 2 ? [at] : []));
  const end = fromEnd === 1 ? undefined : begins.at(1 - fromEnd);
  return parts.slice(begins.at(-fromEnd), end).filter(({ level }) => level > 2);
}

const keyTables = (locale: Locale) => chapter(locale, 2);
const troubles = (locale: Locale) => chapter(locale, 1);

describe.each(locales)("the guide in %s", (locale) => {
  it("quotes only texts of the screen in bold", () => {
    const quoted = guides[locale].flatMap((part) => part.quoted);
    expect(quoted.length).toBeGreaterThan(100);
    expect(quoted.filter((words) => messageKeysOf(words, locale).length === 0 && !isSaidElsewhere(words))).toEqual([]);
  });

  it("has a table for each view with keys", () => {
    expect(keyTables(locale)).toHaveLength(TABLES.length + 1);
    const told = TABLES.flat();
    expect([...new Set(keys.map(({ file }) => file))].filter((file) => !told.includes(file))).toEqual([]);
    expect(told.filter((file) => !files.includes(file))).toEqual([]);
  });

  it.each(TABLES.map((sources, at) => [at, sources] as const))("lists in table %i exactly the keys of %j", (at, sources) => {
    const wanted = distinct(keys.filter(({ file }) => sources.includes(file)));
    const told = (keyTables(locale)[at]?.rows ?? []).flatMap(({ label, keys: pressed }) => pressed.map((combination) => ({ label, combination })));
    const untold = wanted.filter(({ label, chord }) => {
      const found = told.findIndex(
        (row) => row.combination === capsOf(chord) && row.label !== null && messageKeysOf(row.label, locale).includes(label as MessageKey),
      );
      if (found >= 0) told.splice(found, 1);
      return found < 0;
    });
    expect({ untold, unknown: told }).toEqual({ untold: [], unknown: [] });
  });

  it("names every key that a button shows", () => {
    const told = keyTables(locale).flatMap(({ rows }) => rows.flatMap((row) => row.keys));
    const shown = files.flatMap((file) => shownKeys(file).map((chord) => ({ file, keys: capsOf(chord) })));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((one) => !told.includes(one.keys))).toEqual([]);
  });

  it("explains a way out of every error", () => {
    const told = new Set(troubles(locale).flatMap(({ quoted }) => quoted.flatMap((words) => messageKeysOf(words, locale))));
    const errors = (Object.keys(en) as MessageKey[]).filter((key) => key.startsWith("error."));
    expect(errors.length).toBeGreaterThan(50);
    expect(errors.filter((key) => !told.has(key))).toEqual([]);
  });
});

describe("the guides", () => {
  it("have the same headings, level by level", () => {
    expect(guides.ja.map(({ level }) => level)).toEqual(guides.en.map(({ level }) => level));
  });

  it.each(guides.en.map((part, at) => [part.title, at] as const))("quote the same words under “%s”", (_, at) => {
    const left = [...(guides.ja[at]?.quoted ?? [])];
    const untold = (guides.en[at]?.quoted ?? []).filter((words) => {
      const names = messageKeysOf(words, "en");
      const found = left.findIndex((other) => areSame(names, messageKeysOf(other, "ja")));
      if (found >= 0) left.splice(found, 1);
      return found < 0;
    });
    expect({ untold, left }).toEqual({ untold: [], left: [] });
  });
});

/** A text from elsewhere has no name. */
function areSame(names: readonly MessageKey[], others: readonly MessageKey[]): boolean {
  return names.length === 0 ? others.length === 0 : names.some((name) => others.includes(name));
}

function capsOf(chord: string): string {
  return keyCaps(chord, false).join(" ");
}

/** Two views may give one key to one action, which a table lists once. */
function distinct(all: readonly SourceKey[]): SourceKey[] {
  return all.filter((one, at) => all.findIndex(({ label, chord }) => label === one.label && chord === one.chord) === at);
}
