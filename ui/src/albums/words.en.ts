// The words of albums, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "albums.title": "Albums",
  "albums.go": "Show albums",
  "albums.favourites": "Favourites",
  "albums.count": { one: "{count} picture", other: "{count} pictures" },
  "albums.loading": "Loading albums",
  "albums.failed": "Couldn’t load the albums",
  "albums.empty_title": "No albums yet",
  "albums.empty": "An album lists pictures from any folders in your own order. The files stay where they are.",
  "albums.new": "New album",
  "albums.name": "Name",
  "albums.create": "Create",
  "albums.rename": "Rename album",
  "albums.rename_do": "Rename",
  "albums.delete": "Delete album",
  "albums.deleted": "Deleted the album {name}. Its pictures stay where they are.",
  "albums.loading_one": "Loading the album",
  "albums.failed_one": "Couldn’t load the album",
  "albums.none_title": "This album does not exist",
  "albums.all": "All albums",
  "albums.empty_one_title": "This album is empty",
  "albums.empty_one": "In a folder, select pictures and press “a”, or choose “Add to album…” in the menu.",
  "albums.pictures": "Pictures of the album",
  "albums.hint": "Drag pictures to arrange them, or hold Alt and press the arrow keys.",
  "albums.picture_gone": "{name}: no longer at {path}",
  "albums.picture_unreachable": "{name}: its folder is not open, or its disk is not connected ({path})",
  "albums.gone": { one: "{count} picture is missing", other: "{count} pictures are missing" },
  "albums.unreachable": { one: "{count} picture is in a folder that is not open", other: "{count} pictures are in folders that are not open" },
  "albums.find": "Search for missing pictures",
  "albums.find_started": "Searching all open folders for the missing pictures by their contents",
  "albums.take_out": "Remove from album",
  "albums.taken_out": "Removed {name} from the album",
  "albums.cover": "Use as cover",
  "albums.cover_set": "{name} is the cover of the album",
  "albums.earlier": "Move forward",
  "albums.later": "Move back",
  "albums.moved_to": "Position {at} of {count}",
  "albums.add": "Add to album…",
  "albums.add_title": { one: "Add {count} picture to an album", other: "Add {count} pictures to an album" },
  "albums.add_to": "Album",
  "albums.add_do": "Add",
  "albums.added": { one: "Added {count} picture to {name}", other: "Added {count} pictures to {name}" },
  "albums.added_none": "Already in {name}",
  "albums.pictures_only": "Only pictures can be added to an album",
  "albums.favourite": "Add to favourites, or remove",
  "albums.unfavourited": { one: "Removed {count} picture from the favourites", other: "Removed {count} pictures from the favourites" },
  "albums.in": "In albums",
} as const satisfies Catalogue;

type Words = typeof words;

declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
