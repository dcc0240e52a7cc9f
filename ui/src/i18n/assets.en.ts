// What the files of a page say in English.
import type { Catalogue } from "./message";

export const assetsEn = {
  "assets.title": "Files",
  "assets.show": "Go to the page’s files",
  "assets.toggle": "Show or hide the page’s files",
  "assets.add": "Add files to this page",
  "assets.loading": "Reading the list of files",
  "assets.failed": "The list of files did not come: {reason}",
  "assets.empty": "This page has no files yet. Added ones can be shown in its text.",
  "assets.insert": "Insert into the text",
  "assets.copy": "Copy as Markdown",
  "assets.copied": "Copied: {text}",
  "assets.uses": { one: "used once", other: "used {count} times" },
  "assets.unused": "not used here",
  "assets.save": "Save a copy of {name}",
  "assets.saved": "Saved as {name}.",
  "assets.rename": "Rename {name}",
  "assets.rename_label": "New name of {name}",
  "assets.renamed": "It is called {name} now.",
  "assets.renamed_used": {
    one: "It is called {name} now. The text still says {before} in one place.",
    other: "It is called {name} now. The text still says {before} in {count} places.",
  },
  "assets.remove": "Delete {name}",
  "assets.removed": "{name} was deleted.",
  "assets.removed_used": {
    one: "{name} was deleted. The text still shows it in one place.",
    other: "{name} was deleted. The text still shows it in {count} places.",
  },
  "assets.undo": "Undo",
  "assets.deleted": { one: "{count} deleted file", other: "{count} deleted files" },
  "assets.restore": "Restore {name}",
  "assets.all": "Show all {count}",
  "assets.arriving": "Adding {name}…",
  "assets.add_failed": "{name} was not added: {reason}",
} as const satisfies Catalogue;
