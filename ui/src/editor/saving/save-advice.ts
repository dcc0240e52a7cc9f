// The advice after a failed save: the state of the text, and the remedies. The error itself describes the cause.
import { hasCode } from "../../api/errors";
import type { MessageKey, Translate } from "../../i18n";
import type { AutosaveState } from "../autosave/autosave-queue";
import type { Base } from "../session/open-page";

/** The true place of the unsaved text. */
export function safety(autosave: AutosaveState): Extract<MessageKey, `editor.safe_${string}`> {
  return autosave.kind === "failed" ? "editor.safe_here_only" : "editor.safe_kept";
}

/** Names the author of the other revision: the user, elsewhere, or another user. */
export function conflictLead({ author, revision }: Base, me: string | null, t: Translate): string {
  return author === me ? t("editor.conflict_own", { revision }) : t("editor.conflict", { user: author, revision });
}

/** The next step for this fault. */
export function advice(error: unknown): Extract<MessageKey, `editor.advice_${string}`> {
  if (hasCode(error, "lock_invalid", "lock_required")) return "editor.advice_lock";
  if (hasCode(error, "locked", "draft")) return "editor.advice_wait";
  if (hasCode(error, "disk_full", "read_only", "storage_failed")) return "editor.advice_disk";
  if (hasCode(error, "unreachable", "shutting_down", "internal")) return "editor.advice_server";
  if (hasCode(error, "unauthenticated")) return "editor.advice_sign_in";
  if (hasCode(error, "too_large")) return "editor.advice_shorten";
  if (hasCode(error, "not_author")) return "editor.advice_amend";
  if (hasCode(error, "deleted", "gone", "not_found", "page_not_found")) return "editor.advice_gone";
  return "editor.advice_again";
}
