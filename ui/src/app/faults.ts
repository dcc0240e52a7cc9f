// The faults that concern the whole page, in words: a title, and what is safe and what to do.
import { hasCode } from "../api/errors";
import { errorMessage, t } from "../i18n";

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
