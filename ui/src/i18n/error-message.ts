// A sentence that a person understands, for any error.
import { ApiError } from "../api/errors";
import { t } from "./i18n.svelte";
import { formatTime } from "./format";

export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.unexpected");
  const { code, details } = error;
  const user = details.userName ?? t("error.somebody");
  const until = details.expire ? formatTime(details.expire) : "";
  if (code === "locked") return until ? t("error.locked", { user, until }) : t("error.locked_now", { user });
  if (code === "draft") return t("error.draft", { user });
  return t(`error.${code}`);
}
