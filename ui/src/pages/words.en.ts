// The words of the list of pages, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "list.title": "All pages",
  "list.show": "Show all pages",
  "list.filter": "Path starts with",
  "list.filter_focus": "Filter list",
  "list.before": "Previous part of the list",
  "list.after": "Next part of the list",
  "list.before_short": "Previous",
  "list.after_short": "Next",
  "list.loading": "Loading pages",
  "list.failed_title": "Couldn’t load the list of pages",
  "list.none_title": "No matching pages",
  "list.none": "There are no pages at or below {prefix}.",
  "list.write": "Create {path}",
  "list.count": { one: "{count} page", other: "{count} pages" },
  "list.count_part": { one: "{count} page shown", other: "{count} pages shown" },
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
