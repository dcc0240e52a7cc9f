// What full-text search says in English.
import type { Catalogue } from "./message";

export const searchEn = {
  "search.title": "Search",
  "search.title_of": "Search: {query}",
  "search.go": "Search all pages",
  "search.field": "Words in pages",
  "search.focus": "Go to search field",
  "search.begin": "Type words to find pages by what is written in them. “Quoted words” are found as a phrase, -word leaves pages out, and title:, path: and tag: narrow the search.",
  "search.tags": "Tags",
  "search.wanted": "Linked pages that don’t exist",
  "search.wanted_links": { one: "{count} page links here", other: "{count} pages link here" },
  "search.orphans": "Pages without links to them",
  "search.overview_failed": "Couldn’t load tags and links",
  "search.loading": "Searching",
  "search.none_title": "No results",
  "search.none": "No page has “{query}”.",
  "search.failed_title": "Couldn’t search",
  "search.pages": "Pages",
  "search.count": { one: "{count} page found", other: "{count} pages found" },
  "search.more": "Show more",
  "search.moved_from": "Moved from {path}",
  "search.indexing": "The index is being built: {indexed} of {of} pages have been searched so far.",
  "search.index_failed": "The search index can’t be used right now: {indexed} of {of} pages were searched. It will be rebuilt.",

  "palette.texts": "In the text",
  "palette.all_texts": "Search all pages for “{query}”",

  "found.label": "Search results in this page",
  "found.place": "Match {at} of {count}",
  "found.none": "No matches in this page",
  "found.next": "Next match",
  "found.previous": "Previous match",
  "found.close": "Hide highlights",
} as const satisfies Catalogue;
