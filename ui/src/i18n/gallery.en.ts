// What is said in English where a page shows a folder, and of pictures that are put into pages.
import type { Catalogue } from "./message";

export const galleryEn = {
  "gallery.no_folder": "This gallery has no folder. Add a line such as “folder: /home/me/Pictures/2024”.",
  "gallery.no_option": "Unknown gallery option “{name}”. Options: folder, sort, order, filter, rating, tag, limit, rows, size.",
  "gallery.bad_value": "“{value}” isn’t a valid value for the gallery option “{name}”.",
  "gallery.not_open": "“{folder}” isn’t inside an open folder. Open it, or a folder that contains it, in Pictures.",
  "gallery.failed": "Couldn’t show “{folder}”: {reason}",
  "gallery.empty": "No pictures",
  "gallery.count": { one: "{count} picture", other: "{count} pictures" },
  "gallery.part": "{shown} of {total} pictures",

  "insert.menu": "Insert into page…",
  "insert.gallery": "Copy as gallery",
  "insert.gallery_copied": "Copied “{folder}” as a gallery. Paste it into a page.",
  "insert.gallery_unwritable": "This folder can’t be copied as a gallery: its path isn’t readable text, or contains a line break.",
  "insert.gallery_failed": "Couldn’t copy.",
  "insert.title_one": "Insert “{name}” into a page",
  "insert.title": { one: "Insert {count} picture into a page", other: "Insert {count} pictures into a page" },
  "insert.do": "Open page and insert",
  "insert.none": "Select one or more pictures to insert.",
  "insert.dock": "Drop on a page to insert",
  "insert.other": "Another page…",
  "insert.pages": "Used in pages",
  "insert.pages_none": "No page uses this picture.",
} as const satisfies Catalogue;
