// What is said of filters and groups in a folder of pictures, in English.
import type { Catalogue } from "./message";

export const filterEn = {
  "filter.title": "Filter by more than the name",
  "filter.toggle": "Filter by rating, type, date or tag",
  "filter.active": "The pictures are filtered by",
  "filter.remove": "Do not filter any more by: {what}",
  "filter.any_rating": "Any rating",
  "filter.stars": { one: "{count} star or more", other: "{count} stars or more" },
  "filter.type": "Type of picture",
  "filter.any_type": "Any type",
  "filter.more_types": "Or another type…",
  "filter.from": "Taken from",
  "filter.to": "until",
  "filter.any_day": "Any day",
  "filter.since": "From {day}",
  "filter.until": "Until {day}",
  "filter.tag": "With the tag",
  "filter.tagged": "Tag “{tag}”",
  "filter.count": { one: "{count} of {of} pictures", other: "{count} of {of} pictures" },
  "filter.none": "No picture in this folder is as you want it. The others are there still.",

  "filter.group": "Group by",
  "filter.group_none": "Not grouped",
  "filter.group_day": "By day",
  "filter.group_month": "By month",
  "filter.group_next": "Group: {group}",
  "filter.group_by": "Group by something else",
  "filter.undated": "Folders, and what has no date",
  "filter.group_pictures": { one: "{count} picture", other: "{count} pictures" },
  "filter.group_count": { one: "{count} item", other: "{count} items" },
} as const satisfies Catalogue;
