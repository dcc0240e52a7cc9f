// What is said of ratings and tags, in English.
import type { Catalogue } from "./message";

export const marksEn = {
  "marks.title": "Rating and tags",
  "marks.title_one": "Rating and tags of “{name}”",
  "marks.title_many": { one: "Rating and tags of {count} picture", other: "Rating and tags of {count} pictures" },
  "marks.ask": "Rating and tags…",
  "marks.where": "They are kept in a file beside each picture (XMP), which other programs read too. The picture itself stays as it is.",

  "marks.rating": "Rating",
  "marks.stars": { one: "{count} star", other: "{count} stars" },
  "marks.unrated": "Not rated",
  "marks.rejected": "Rejected",
  "marks.rate": { one: "Rate with {count} star", other: "Rate with {count} stars" },
  "marks.unrate": "Take the rating away",
  "marks.reject": "Reject the picture",

  "marks.tags": "Tags",
  "marks.add": "Add a tag",
  "marks.remove": "Take away the tag “{tag}”",
  "marks.add_to_all": "Give all of them the tag “{tag}”",
  "marks.some": "{count} of {of} pictures",

  "marks.rated_was": "“{name}”: {rating}, before: {before}",
  "marks.rated": { one: "{count} picture: {rating}", other: "{count} pictures: {rating}" },
  "marks.tagged_one": "“{name}” has the tag “{tag}” now",
  "marks.tagged": { one: "{count} picture has the tag “{tag}” now", other: "{count} pictures have the tag “{tag}” now" },
  "marks.untagged_one": "Tag “{tag}” taken away from “{name}”",
  "marks.untagged": { one: "Tag “{tag}” taken away from {count} picture", other: "Tag “{tag}” taken away from {count} pictures" },
  "marks.undone": "Undone: {what}",
  "marks.working": "Writing ratings and tags: {percent}",
  "marks.pictures_only": "Only pictures can be rated and tagged.",
  "marks.failed": "Ratings and tags could not be written.",
} as const satisfies Catalogue;
