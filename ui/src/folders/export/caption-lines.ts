// The lines below a picture on paper.
import type { FolderEntry } from "../../api/backend";
import { displayName } from "../entries/display-name";
import type { SheetCaption } from "./sheet-options";

/** The most lines of a picture's caption. */
const MAX_LINES = 2;

export function captionOf({ name, taken, rating, caption }: FolderEntry, captions: readonly SheetCaption[]): string[] {
  const has = (part: SheetCaption) => captions.includes(part);
  const date = has("date") && taken ? taken.slice(0, 16).replace("T", " ") : "";
  const stars = has("rating") && rating && rating > 0 ? "★".repeat(rating) + "☆".repeat(5 - rating) : "";
  const facts = has("date") || has("rating") ? [[date, stars].filter(Boolean).join("  ")] : [];
  return [...(has("name") ? [displayName(name)] : []), ...facts, ...(has("caption") && caption ? caption.split("\n").slice(0, MAX_LINES) : [])];
}
