// The words of the list of pages, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "list.title": "All pages",
  "list.show": "Show all pages",
  "list.filter": "Path contains",
  "list.filter_focus": "Filter list",
  "list.any_tag": "Any tag",
  "list.tag_option": "#{tag} ({count})",
  "list.property": "Property",
  "list.any_property": "Any property",
  "list.comparison": "Comparison",
  "list.value": "Value",
  "list.contains": "contains",
  "list.is": "is",
  "list.is_not": "is not",
  "list.less": "is less than",
  "list.at_most": "is at most",
  "list.more": "is more than",
  "list.at_least": "is at least",
  "list.exists": "exists",
  "list.clear": "Clear filters",
  "list.sort": "Sort by",
  "list.by": "Sort: {column}",
  "list.reverse": "Reverse the order",
  "list.columns": "Columns",
  "list.loading": "Loading pages",
  "list.failed_title": "Couldn’t load the list of pages",
  "list.none_title": "No matching pages",
  "list.none": "No page fits these filters.",
  "list.none_at_all": "There are no pages yet.",
  "list.write": "Create {path}",
  "list.count": { one: "{count} page", other: "{count} pages" },
  "list.count_found": { one: "{count} page found", other: "{count} pages found" },
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
