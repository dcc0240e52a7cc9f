// Two texts become one in the editor: by themselves where they can, by a person where they meet.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Offer } from "../../editing/offers";
import { newText } from "../new-text";
import type { Choice, Conflict, Part } from "./merge";

/** What a person has to decide about. */
export interface Question {
  conflicts: Conflict[];
  /** What the two texts are called. */
  mine: string;
  theirs: string;
  answer: (choices: Choice[] | null) => void;
}

export interface Texts {
  /** What both began as, null where nobody knows it any more. */
  base: string | null;
  mine: { label: string; text: string };
  theirs: { label: string; text: string };
}

export class Merging {
  question = $state.raw<Question | null>(null);

  /** The one text, or null when the person would rather leave both as they are. */
  async ask({ base, mine, theirs }: Texts): Promise<string | null> {
    // Loaded when two texts meet for the first time.
    const { conflictsOf, merge, settle } = await import("./merge");
    const parts: Part[] = merge(base, mine.text, theirs.text);
    const conflicts = conflictsOf(parts);
    if (conflicts.length === 0) return settle(parts, []);
    this.question?.answer(null);
    let asked: Question | null = null;
    const choices = await new Promise<Choice[] | null>((resolve) => {
      this.question = asked = { conflicts, mine: mine.label, theirs: theirs.label, answer: resolve };
    });
    // Another one may stand there by now.
    if (this.question === asked) this.question = null;
    return choices === null ? null : settle(parts, choices);
  }
}

/** What an unsaved text began as; null where that revision is gone. */
export async function beganAs(
  { pages }: Pick<Backend, "pages">,
  { page_id, base_revision, path }: Pick<Offer, "page_id" | "base_revision" | "path">,
): Promise<string | null> {
  if (base_revision === null || base_revision === undefined) return newText(path);
  try {
    return (await pages.source(page_id, base_revision)).text;
  } catch (error) {
    if (hasCode(error, "gone", "deleted", "not_found", "page_not_found")) return null;
    throw error;
  }
}
