// What the editor says in English about pictures and files that are brought to a page.
import type { Catalogue } from "./message";

export const editorFilesEn = {
  "editor.add_file": "Add a picture or file",
  "editor.picture_name": "picture",
  "editor.bringing": "Adding {name}…",
  "editor.bringing_many": "Adding {name}… ({count} left)",
  "editor.bring_clipboard": "the clipboard contents",
  "editor.bring_failed": "Couldn’t add {name}: {reason} Your text hasn’t been changed.",
  "editor.bring_unlinked": "{name} was added to the page’s files, but the editor was closed before a link could be inserted.",
  "editor.leave_bringing_title": "A file is still being added",
  "editor.leave_bringing": "If you leave now, {name} may still be added to the page’s files, but the text won’t contain a link to it.",
} as const satisfies Catalogue;
