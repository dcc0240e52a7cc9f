// Merging two texts in the editor: automatically if possible, by the user's choices where they conflict.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Offer } from "../../editing/autosave-offers";
import { initialText } from "../../templates/initial-text";
import type { Choice, Conflict, Part } from "./merge";

/** The conflicts that the user must decide. */
export interface MergeQuestion {
  conflicts: Conflict[];
  /** The names of the two texts. */
  mine: string;
  theirs: string;
  answer: (choices: Choice[] | null) => void;
}

export interface Texts {
  /** The common base, null if unknown. */
  base: string | null;
  mine: { label: string; text: string };
  theirs: { label: string; text: string };
}

export class MergeSession {
  question = $state.raw<MergeQuestion | null>(null);

  /** Returns the merged text, or null if the user prefers to leave both unchanged. */
  async ask({ base, mine, theirs }: Texts): Promise<string | null> {
    // Loaded at the first merge.
    const { conflictsOf, merge, settle } = await import("./merge");
    const parts: Part[] = merge(base, mine.text, theirs.text);
    const conflicts = conflictsOf(parts);
    if (conflicts.length === 0) return settle(parts, []);
    this.question?.answer(null);
    let question: MergeQuestion | null = null;
    const choices = await new Promise<Choice[] | null>((resolve) => {
      this.question = question = { conflicts, mine: mine.label, theirs: theirs.label, answer: resolve };
    });
    // A newer question may have replaced it by now.
    if (this.question === question) this.question = null;
    return choices === null ? null : settle(parts, choices);
  }
}

/** The base of an unsaved text; null if that revision is gone. */
export async function readBaseText(
  { pages }: Pick<Backend, "pages">,
  { page_id, base_revision, path }: Pick<Offer, "page_id" | "base_revision" | "path">,
): Promise<string | null> {
  if (base_revision === null || base_revision === undefined) return initialText(path);
  try {
    return (await pages.source(page_id, base_revision)).text;
  } catch (error) {
    if (hasCode(error, "gone", "deleted", "not_found", "page_not_found")) return null;
    throw error;
  }
}
