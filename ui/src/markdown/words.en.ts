// The words of callouts and galleries in pages, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "callout.note": "Note",
  "callout.abstract": "Summary",
  "callout.info": "Info",
  "callout.todo": "To do",
  "callout.tip": "Tip",
  "callout.important": "Important",
  "callout.success": "Success",
  "callout.question": "Question",
  "callout.warning": "Warning",
  "callout.caution": "Caution",
  "callout.failure": "Failure",
  "callout.danger": "Danger",
  "callout.bug": "Bug",
  "callout.example": "Example",
  "callout.quote": "Quote",

  "gallery.no_folder": "This gallery has no folder. Add a line such as “folder: /home/me/Pictures/2024”.",
  "gallery.no_option": "Unknown gallery option “{name}”. Options: {options}.",
  "gallery.bad_value": "“{value}” isn’t a valid value for the gallery option “{name}”.",
  "gallery.not_open": "“{folder}” isn’t inside an open folder. Open it, or a folder that contains it, in Pictures.",
  "gallery.failed": "Couldn’t show “{folder}”: {reason}",
  "gallery.empty": "No pictures",
  "gallery.no_album": "This fence has no album. Add a line such as “album: Travel”.",
  "gallery.no_album_option": "Unknown album option “{name}”. Options: {options}.",
  "gallery.bad_album_value": "“{value}” isn’t a valid value for the album option “{name}”.",
  "gallery.album_missing": "There is no album “{album}”.",
  "gallery.album_sort": "“{album}” has its own order. “sort” is for smart albums.",
  "gallery.count": { one: "{count} picture", other: "{count} pictures" },
  "gallery.part": "{shown} of {total} pictures",

  "pages.no_option": "Unknown option “{name}” of a list of pages. Options: {options}.",
  "pages.bad_value": "“{value}” isn’t a valid value for the option “{name}” of a list of pages. Options: {options}.",
  "pages.failed": "Couldn’t list the pages: {reason}",
  "pages.none": "No pages",
  "pages.part": "{shown} of {total} pages",
  "pages.title": "Page",
  "pages.path": "Path",
  "pages.updated": "Changed",
  "pages.author": "Author",
  "pages.tags": "Tags",
  "pages.top": "Top page",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
