// The words of the full-text search, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "search.title": "Search",
  "search.title_of": "Search: {query}",
  "search.go": "Search everything",
  "search.field": "Words to find",
  "search.focus": "Go to search field",
  "search.begin": "Type words to find pages by their text, pictures by their names, dates, cameras, tags and captions, and files and hash records by their names. “Quoted words” are found as a phrase, -word leaves results out, and title:, path: and tag: narrow the search.",
  "search.tags": "Tags",
  "search.wanted": "Linked pages that don’t exist",
  "search.wanted_links": { one: "{count} page links here", other: "{count} pages link here" },
  "search.orphans": "Pages without links to them",
  "search.overview_failed": "Couldn’t load tags and links",
  "search.loading": "Searching",
  "search.none_title": "No results",
  "search.none": "Nothing matches “{query}”.",
  "search.near": "Did you mean {query}?",
  "search.unknown_field": "“{field}” isn’t a search field, so it was searched as text. The fields are title:, path:, tag:, before:, after:, has:picture and regex:.",
  "search.failed_title": "Couldn’t search",
  "search.kinds": "Kinds of results",
  "search.kind_all": "All",
  "search.kind_page": "Pages",
  "search.kind_picture": "Pictures",
  "search.kind_file": "Files",
  "search.kind_record": "Hash records",
  "search.failed_page": "Couldn’t search pages.",
  "search.failed_picture": "Couldn’t search pictures.",
  "search.failed_file": "Couldn’t search files.",
  "search.failed_record": "Couldn’t search hash records.",
  "search.also": "Include:",
  "search.revisions": "Earlier revisions",
  "search.with_deleted": "Also search Trash",
  "search.with_revisions": "Also search earlier revisions",
  "search.reading_revisions": "Searching earlier revisions",
  "search.count": { one: "{count} result", other: "{count} results" },
  "search.more": "Show more",
  "search.moved_from": "Moved from {path}",
  "search.indexing": "The index is being built: {indexed} of {of} pages have been searched so far.",
  "search.index_failed": "The search index can’t be used right now: {indexed} of {of} pages were searched. It will be rebuilt.",
  "search.reading_pictures": "Pictures are still being read: {indexed} of {of} so far.",
  "search.folders_missing": "Folders that can’t be searched right now: {missing} of {of}.",
  "search.records_failed": "Hash records can’t be read right now.",
  "search.long_pages": {
    one: "{count} page is too long to be searched whole.",
    other: "{count} pages are too long to be searched whole.",
  },
  "search.time_limit": "{indexed} of {of} have been searched. The others would take too long.",

  "palette.texts": "In the text",
  "palette.pictures": "Pictures",
  "palette.files": "Files",
  "palette.records": "Hash records",
  "palette.everything": "Search",
  "palette.search_everything": "Search everything for “{query}”",

  "found.label": "Search results in this page",
  "found.place": "Match {at} of {count}",
  "found.none": "No matches in this page",
  "found.next": "Next match",
  "found.previous": "Previous match",
  "found.close": "Hide highlights",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
