// What the picture folders say in English.
import type { Catalogue } from "./message";

export const foldersEn = {
  "folders.title": "Pictures",
  "folders.all": "All folders",
  "folders.open": "Open folder…",
  "folders.up": "To the folder above",
  "folders.refresh": "Read the folder again",
  "folders.loading": "Reading the folder",
  "folders.tools": "Order and size",

  "folders.sort": "Order by",
  "folders.sort_name": "Name",
  "folders.sort_modified": "Date modified",
  "folders.sort_size": "File size",
  "folders.sort_next": "Sort by: {sort}",
  "folders.sort_by": "Sort by something else",
  "folders.reverse": "Reverse the order",
  "folders.ascending": "Ascending; press for descending",
  "folders.descending": "Descending; press for ascending",
  "folders.size": "Size of the thumbnails",
  "folders.size_value": "{size} pixels",
  "folders.larger": "Larger thumbnails",
  "folders.smaller": "Smaller thumbnails",
  "folders.count": { one: "{count} picture", other: "{count} pictures" },
  "folders.modified_at": "Modified {time}",
  "folders.polling": "Looked at every few seconds",
  "folders.polling_why": "Nobody tells what happens in this folder: it lies on another machine, or the system has no watches left.",

  "folders.first_title": "No folder is open yet",
  "folders.first": "Choose a folder with pictures. Fumikura reads it and changes nothing in it.",
  "folders.first_browser": "Start Fumikura with the folders that it may read:",
  "folders.first_path": "Or name a folder beneath one of those:",
  "folders.path": "Path of the folder",
  "folders.add_path": "Add",

  "folders.empty_title": "This folder is empty",
  "folders.empty": "Pictures that you put here appear by themselves.",
  "folders.gone_title": "The folder cannot be reached",
  "folders.gone": "It may have been moved or deleted, or its disk is not connected. Fumikura has changed nothing in it. Once it is there again, it appears here by itself.",
  "folders.failed_title": "The folder could not be read",
  "folders.unknown_title": "This folder is not open",
  "folders.away": "not available now",

  "folders.forget": "Remove from the list",
  "folders.forget_this": "Remove “{name}” from the list",
  "folders.forget_title": "Remove “{name}” from the list?",
  "folders.forget_message": "Its pictures stay where they are.",

  "folders.thumb_failed": "No thumbnail",
  "folders.picture_gone_title": "This picture is not here",
  "folders.picture_gone": "It may have been moved, renamed or deleted.",

  "folders.viewer": "picture",
  "folders.next": "Next picture",
  "folders.previous": "Previous picture",
  "folders.back_to_folder": "Back to the folder",
} as const satisfies Catalogue;
