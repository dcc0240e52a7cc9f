import { expect, it } from "vitest";
import { NO_FILTER } from "./filter";
import { filteredSearch } from "./filtered-search";

it.each([
  [{}, '"kyoto temple', '"kyoto temple'],
  [{ rating: "3" as const }, "a OR b", "rating:>=3 a OR b"],
  [{ rating: "unrated" as const, types: ["raw", "jpeg"] }, "", "rating:unrated type:raw|jpeg"],
  [{ rating: "rejected" as const, tag: 'Places/"Kyoto"' }, "a", 'rating:rejected tag:"Places/ Kyoto " a'],
  [{ from: "2026-02-28", to: "2026-12-31" }, "a", "after:2026-02-28 before:2027-01-01 a"],
  [{ caption: "dusk", hasCaption: true }, "a", "caption:dusk has:caption a"],
  [{ caption: 'at "dusk', hasCaption: false }, "a", 'caption:"at  dusk" -has:caption a'],
])("%j is a part of the query", (filter, query, expected) => {
  expect(filteredSearch(query, { ...NO_FILTER, ...filter })).toBe(expected);
});
