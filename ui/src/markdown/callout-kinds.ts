// The kinds of callouts: those of Obsidian, and those of GitHub that Obsidian has under other names.
import type { Translate } from "../i18n";

export const CALLOUT_KINDS = [
  "note",
  "abstract",
  "info",
  "todo",
  "tip",
  "important",
  "success",
  "question",
  "warning",
  "caution",
  "failure",
  "danger",
  "bug",
  "example",
  "quote",
] as const;

export type CalloutKind = (typeof CALLOUT_KINDS)[number];

/** Other names of the kinds. */
export const CALLOUT_ALIASES: ReadonlyMap<string, CalloutKind> = new Map([
  ["summary", "abstract"],
  ["tldr", "abstract"],
  ["hint", "tip"],
  ["check", "success"],
  ["done", "success"],
  ["help", "question"],
  ["faq", "question"],
  ["attention", "warning"],
  ["fail", "failure"],
  ["missing", "failure"],
  ["error", "danger"],
  ["cite", "quote"],
]);

/** The kinds that GitHub shows, too; the editor offers them. */
export const COMMON_CALLOUTS: readonly CalloutKind[] = ["note", "tip", "important", "warning", "caution"];

/** Returns the title of a callout that has none of its own. */
export function calloutTitle(t: Translate, kind: CalloutKind): string {
  return t(`callout.${kind}`);
}
