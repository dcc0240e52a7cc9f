// What the editor says in English where two texts become one.
import type { Catalogue } from "./message";

export const editorMergeEn = {
  "editor.merge": "Merge",
  "editor.merge_title": "Both versions changed the same lines",
  "editor.merge_intro": {
    one: "Everything else has been merged. Choose what to keep here. Nothing is saved yet.",
    other: "Everything else has been merged. Choose what to keep in each of the {count} places. Nothing is saved yet.",
  },
  "editor.merge_place": "Conflict {number} of {count}",
  "editor.merge_mine": "Your version",
  "editor.merge_both": "Keep both",
  "editor.merge_none": "These lines were removed in this version.",
  "editor.merge_left": { one: "{count} choice left", other: "{count} choices left" },
  "editor.merge_ready": "All conflicts resolved",
  "editor.merge_done": "Use merged text",
  "editor.merge_taken": "Merged. Review the text, then save.",
} as const satisfies Catalogue;
