import { expect, it } from "vitest";
import { canonicalPath } from "../../api/names";
import { setLocale } from "../../i18n";
import { parsePicturesAddress, picturesAddress } from "./address";
import { hasMetadataFilter, hasSameFilter } from "./listing-query";
import { filterToQuery, dayOf, type Filter, filterFrom, filterQuery, isFilterActive, filtersByMetadata, NO_FILTER } from "./filter";
import { filterParts } from "./filter-words";

const ALL: Filter = { text: "a&b 海", rating: "3", types: ["jpeg", "raw"], from: "2026-11-01", to: "2026-11-30", tag: "Places/Kyoto", caption: "寺", hasCaption: true };

it.each<[string, Filter]>([
  ["nothing", NO_FILTER],
  ["a text", { ...NO_FILTER, text: "50% ?#" }],
  ["all of it", ALL],
])("%s survives a round trip through the address", (_, filter) => {
  expect(filterFrom(new URLSearchParams(filterQuery(filter)))).toEqual(filter);
  for (const view of [null, canonicalPath("d%2Be.jpg")]) {
    const url = new URL(picturesAddress("R1", canonicalPath("a b"), view, { filter }), "http://x");
    const place = parsePicturesAddress(url);
    expect([place?.view, place?.filter ?? NO_FILTER]).toEqual([view, filter]);
  }
});

it("invalid values of an address are ignored", () => {
  const query = new URLSearchParams("rating=7&type=exe,png,png&from=2026-13-01&to=yesterday&tag=&caption=&has_caption=maybe");
  expect(filterFrom(query)).toEqual({ ...NO_FILTER, types: ["png"] });
});

it.each([
  ["2026-11-30", "2026-11-30"],
  ["2026-02-30", null],
  ["2026-2-3", null],
  ["", null],
  [null, null],
])("%j is the day %j", (text, day) => {
  expect(dayOf(text)).toBe(day);
});

it("the server gets the text and chosen parts", () => {
  expect(filterToQuery(NO_FILTER)).toEqual({ filter: "" });
  expect(filterToQuery(ALL)).toEqual({ filter: "a&b 海", rating: "3", type: "jpeg,raw", taken_from: "2026-11-01", taken_to: "2026-11-30", tag: "Places/Kyoto", caption: "寺", has_caption: "true" });
});

it("a text alone matches other entries, too", () => {
  const text = { ...NO_FILTER, text: "a" };
  expect([isFilterActive(NO_FILTER), isFilterActive(text), filtersByMetadata(text), filtersByMetadata({ ...NO_FILTER, tag: "sea" })]).toEqual([false, true, false, true]);
  const order = { sort: "name", order: "asc" } as const;
  expect([hasMetadataFilter({ ...order, ...filterToQuery(text) }), hasMetadataFilter({ ...order, ...filterToQuery(ALL) })]).toEqual([false, true]);
  expect(hasSameFilter({ ...order, ...filterToQuery(ALL) }, { sort: "size", order: "desc", ...filterToQuery(ALL) })).toBe(true);
  expect(hasSameFilter(order, { ...order, ...filterToQuery(text) })).toBe(false);
});

it("each part has words and can be removed", () => {
  const told = (filter: Filter) => filterParts(filter).map(({ words }) => words.replace(/\s/g, " "));
  expect(told(ALL)).toEqual(["3 stars or more", "JPEG", "RAW", "From Nov 1, 2026", "Until Nov 30, 2026", "Tag “Places/Kyoto”", "Caption “寺”", "With a caption"]);
  expect(filterParts(ALL).map(({ without }) => told(without).length)).toEqual([7, 7, 7, 7, 7, 7, 7, 7]);
  expect(filterParts(ALL)[1]?.without.types).toEqual(["raw"]);
  setLocale("ja");
  expect(told({ ...NO_FILTER, rating: "unrated", from: "2026-11-01" })).toEqual(["評価なし", "2026/11/01 以後"]);
  setLocale("en");
});
