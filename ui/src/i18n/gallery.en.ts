// What is said in English where a page shows a folder, and of pictures that are put into pages.
import type { Catalogue } from "./message";

export const galleryEn = {
  "gallery.no_folder": "This gallery names no folder yet. Write a line such as “folder: /home/me/Pictures/2024”.",
  "gallery.no_option": "A gallery knows no “{name}”. It knows folder, sort, order, filter, rating, tag, limit, rows and size.",
  "gallery.bad_value": "“{value}” is nothing for “{name}” of a gallery.",
  "gallery.not_open": "“{folder}” lies in none of the open folders. Open it, or one that holds it, among the pictures.",
  "gallery.failed": "“{folder}” cannot be shown: {reason}",
  "gallery.empty": "There are no pictures here.",
  "gallery.count": { one: "{count} picture", other: "{count} pictures" },
  "gallery.part": "{shown} of {total} pictures",

  "insert.menu": "Insert into a page…",
  "insert.gallery": "Copy as a gallery",
  "insert.gallery_copied": "The gallery of “{folder}” is on the clipboard. Paste it into a page.",
  "insert.gallery_unwritable": "The path of this folder cannot be written into a page: it is no text, or has a line break in it.",
  "insert.gallery_failed": "The clipboard did not take it.",
  "insert.title_one": "Insert “{name}” into a page",
  "insert.title": { one: "Insert {count} picture into a page", other: "Insert {count} pictures into a page" },
  "insert.do": "Open the page and insert",
  "insert.none": "Only pictures can be inserted, and none is selected.",
  "insert.dock": "Drop on a page to insert",
  "insert.other": "Another page…",
  "insert.pages": "Used in pages",
  "insert.pages_none": "No page has this picture.",
} as const satisfies Catalogue;
