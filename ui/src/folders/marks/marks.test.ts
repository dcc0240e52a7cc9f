import { expect, it } from "vitest";
import type { FolderEntry, MarksChange } from "../../api/backend";
import { setLocale } from "../../i18n";
import { applyChange, inverseChange, commonRating, applyMarks, ratingWords, tagsAmong, typedTags } from "./marks";
import { encodeName, type EncodedPath } from "../../api/names";

const entry = (marks: Partial<FolderEntry> = {}): FolderEntry => ({ name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", ...marks });

/** The marks of an entry without any, as the server reports them. */
const NONE = { rating: null, tags: null, caption: null };

it.each<[Partial<FolderEntry>, MarksChange, Partial<FolderEntry>]>([
  [{}, { rating: 3 }, { rating: 3 }],
  [{ rating: 3, tags: ["sea"] }, { rating: 0 }, { rating: null, tags: ["sea"] }],
  [{ rating: 3 }, { rating: -1 }, { rating: -1 }],
  [{ tags: ["sea"] }, { add: ["sky", "sea"] }, { rating: null, tags: ["sea", "sky"] }],
  [{ tags: ["sea"] }, { remove: ["sea", "sky"] }, {}],
  [{}, { caption: "A cat", keepsCaption: true }, { caption: "A cat" }],
  [{ caption: "Mine" }, { caption: "A cat", keepsCaption: true }, { caption: "Mine" }],
  [{ caption: "Mine" }, { caption: "A cat" }, { caption: "A cat" }],
  [{ caption: "Mine" }, { caption: "" }, {}],
])("of %j, %j makes %j, and is reversible", (before, change, after) => {
  const now = applyChange(entry(before), change);
  expect(now).toEqual({ ...NONE, ...entry(after) });
  const back = inverseChange(entry(before), change);
  expect(applyChange(now, back ?? {})).toEqual(applyChange(entry(before), {}));
});

it("an empty change has no inverse", () => {
  expect(inverseChange(entry({ rating: 3, tags: ["sea"] }), { rating: 3, add: ["sea"], remove: ["sky"] })).toBeNull();
});

it("marks of other pictures change nothing", () => {
  const marks = new Map([[encodeName({ name: "b.jpg" }), { rating: 5, tags: [] }]]);
  expect(applyMarks(entry({ rating: 1 }), marks)).toEqual(entry({ rating: 1 }));
  expect(applyMarks(entry(), new Map([["a.jpg" as EncodedPath, { rating: 5, tags: ["sea"] }]]))).toEqual(entry({ ...NONE, rating: 5, tags: ["sea"] }));
});

it("several share a rating and count tags", () => {
  expect(commonRating([entry(), entry({ rating: null })])).toBe(0);
  expect(commonRating([entry(), entry({ rating: 1 })])).toBeNull();
  expect(tagsAmong([entry({ tags: ["sea", "sky"] }), entry(), entry({ tags: ["sky"] })])).toEqual([
    { tag: "sea", count: 1 },
    { tag: "sky", count: 2 },
  ]);
});

it.each([
  ["sea", { whole: [], rest: "sea" }],
  ["sea,", { whole: ["sea"], rest: "" }],
  ["sea, Places/Kyoto, sk", { whole: ["sea", "Places/Kyoto"], rest: "sk" }],
  ["海、", { whole: ["海"], rest: "" }],
  [" , ,", { whole: [], rest: "" }],
])("“%s” is typed as tags", (text, expected) => {
  expect(typedTags(text)).toEqual(expected);
});

it("a rating has words in both languages", () => {
  expect([-1, 0, 1, 5].map(ratingWords)).toEqual(["Rejected", "Unrated", "1 star", "5 stars"]);
  setLocale("ja");
  expect([-1, 0, 1, 5].map((rating) => ratingWords(rating).replace(/\s/g, ""))).toEqual(["不採用", "評価なし", "星1つ", "星5つ"]);
  setLocale("en");
});
