// What the editor says in English about pictures and files that are brought to a page.
import type { Catalogue } from "./message";

export const editorFilesEn = {
  "editor.add_file": "Add a picture or file",
  "editor.picture_name": "picture",
  "editor.bringing": "Adding {name}…",
  "editor.bringing_many": "Adding {name}… ({count} to go)",
  "editor.bring_clipboard": "what is on the clipboard",
  "editor.bring_failed": "{name} was not added: {reason} Your text is as it was.",
  "editor.bring_unlinked": "{name} is among the page’s files now. The editor was closed before a link to it could be written.",
  "editor.leave_bringing_title": "A file is still on its way",
  "editor.leave_bringing": "If you leave now, {name} may still be added to the page’s files, but no link to it will be in the text.",
} as const satisfies Catalogue;
