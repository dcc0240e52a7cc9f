// What the editor says in English where two texts become one.
import type { Catalogue } from "./message";

export const editorMergeEn = {
  "editor.merge": "Merge",
  "editor.merge_title": "Two texts changed the same lines",
  "editor.merge_intro": {
    one: "Everything else is merged already. Choose what to keep here; nothing is saved yet.",
    other: "Everything else is merged already. Choose what to keep in each of the {count} places; nothing is saved yet.",
  },
  "editor.merge_place": "Place {number} of {count}",
  "editor.merge_mine": "Yours, in the editor",
  "editor.merge_both": "Both, one after the other",
  "editor.merge_none": "These lines were removed here.",
  "editor.merge_left": { one: "{count} choice left", other: "{count} choices left" },
  "editor.merge_ready": "All chosen",
  "editor.merge_done": "Put it into the editor",
  "editor.merge_taken": "The texts are merged in the editor. Look it over, then save.",
} as const satisfies Catalogue;
