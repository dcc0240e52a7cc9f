// The texts of faults that concern the whole page: a title, the state of the data, and the remedy.
import { ApiError, hasCode } from "../../api/errors";
import { errorMessage, t } from "../../i18n";
import type { Trouble } from "../session.svelte";

export interface Words {
  title: string;
  message: string;
}

export function explain(error: unknown): Words {
  if (hasCode(error, "unauthenticated")) {
    return { title: t("state.unauthenticated_title"), message: t("state.unauthenticated") };
  }
  if (hasCode(error, "unreachable", "shutting_down")) {
    return { title: t("state.unreachable_title"), message: t("state.unreachable") };
  }
  if (hasCode(error, "storage_failed", "disk_full", "read_only")) {
    return { title: t("state.storage_title"), message: t("state.storage") };
  }
  return { title: t("state.failed_title"), message: errorMessage(error) };
}

export function explainTrouble(trouble: Trouble): Words {
  return explain(new ApiError(trouble, 0, ""));
}

/** The sentences with which a view would report the same fault. */
export function sentencesOf(trouble: Trouble): string[] {
  return [explainTrouble(trouble).message, errorMessage(new ApiError(trouble, 0, ""))];
}
