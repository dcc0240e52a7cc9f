// What is said of ratings and tags, in English.
import type { Catalogue } from "./message";

export const marksEn = {
  "marks.title": "Rating and tags",
  "marks.title_one": "Rating and tags of “{name}”",
  "marks.title_many": { one: "Rating and tags of {count} picture", other: "Rating and tags of {count} pictures" },
  "marks.ask": "Rating and tags…",
  "marks.where": "Saved in an XMP file next to each picture, which other apps can read. The picture itself isn’t changed.",

  "marks.rating": "Rating",
  "marks.stars": { one: "{count} star", other: "{count} stars" },
  "marks.unrated": "Unrated",
  "marks.rejected": "Rejected",
  "marks.rate": { one: "Rate {count} star", other: "Rate {count} stars" },
  "marks.unrate": "Remove rating",
  "marks.reject": "Reject picture",

  "marks.tags": "Tags",
  "marks.add": "Add tag",
  "marks.remove": "Remove tag “{tag}”",
  "marks.add_to_all": "Add tag “{tag}” to all",
  "marks.some": "{count} of {of} pictures",

  "marks.rated_was": "{name}: {rating} (was {before})",
  "marks.rated": { one: "{count} picture: {rating}", other: "{count} pictures: {rating}" },
  "marks.tagged_one": "Added tag “{tag}” to “{name}”",
  "marks.tagged": { one: "Added tag “{tag}” to {count} picture", other: "Added tag “{tag}” to {count} pictures" },
  "marks.untagged_one": "Removed tag “{tag}” from “{name}”",
  "marks.untagged": { one: "Removed tag “{tag}” from {count} picture", other: "Removed tag “{tag}” from {count} pictures" },
  "marks.caption": "Caption",
  "marks.captioned_one": "Saved the caption of “{name}”",
  "marks.captioned": { one: "Saved the caption of {count} picture", other: "Saved the captions of {count} pictures" },
  "marks.undone": "Undone: {what}",
  "marks.working": "Saving ratings and tags: {percent}",
  "marks.pictures_only": "Only pictures can be rated and tagged.",
  "marks.failed_one": "Couldn’t save rating and tags of “{name}”: {why}",
  "marks.failed_some": {
    one: "Couldn’t save rating and tags of {count} picture. “{name}”: {why}",
    other: "Couldn’t save ratings and tags of {count} pictures. “{name}”: {why}",
  },
  "marks.failed": "Couldn’t save ratings and tags.",
} as const satisfies Catalogue;
