import { expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { passesFilter, tagsOf } from "./entry-filter";
import { type Filter, NO_FILTER } from "./filter";

const ENTRY: FolderEntry = { name: "Ｋyoto.JPG", kind: "picture", size: 1, mtime: "2026-11-20T12:00:00Z", taken: "2024-05-06T23:59:59", rating: 3, tags: ["Places/日本/Kyoto"], caption: "カエデ at dusk" };
const BARE: FolderEntry = { name: "a.png", kind: "picture", size: 1, mtime: "2026-11-20T12:00:00Z" };
const passes = (entry: FolderEntry, filter: Partial<Filter>) => passesFilter(entry, { ...NO_FILTER, ...filter });

it.each<[Partial<Filter>, boolean, boolean]>([
  [{}, true, true],
  [{ text: "kyoto" }, true, false],
  [{ rating: "3" }, true, false],
  [{ rating: "4" }, false, false],
  [{ rating: "unrated" }, false, true],
  [{ rating: "rejected" }, false, false],
  [{ types: ["jpeg", "gif"] }, true, false],
  [{ tag: "日本/kyoto" }, true, false],
  [{ tag: "Place" }, false, false],
  [{ from: "2024-05-06", to: "2024-05-06" }, true, false],
  [{ from: "2026-11-19" }, false, true],
  [{ caption: "かえで" }, true, false],
  [{ hasCaption: true }, true, false],
  [{ hasCaption: false }, false, true],
])("%j", (filter, whole, bare) => {
  expect([passes(ENTRY, filter), passes(BARE, filter)]).toEqual([whole, bare]);
});

it("a picture passes by any of its files", () => {
  const joined = { ...ENTRY, companions: [{ ...BARE, part: "raw" as const, name: "Kyoto.CR3" }] };
  expect(passes(joined, { types: ["raw"] })).toBe(true);
});

it("tags are counted", () => {
  expect(tagsOf([{ ...BARE, tags: ["a", "sea"] }, { ...BARE, tags: ["sea"] }, BARE])).toEqual([
    { tag: "sea", count: 2 },
    { tag: "a", count: 1 },
  ]);
});
