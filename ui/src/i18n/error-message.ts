// User-facing messages for errors.
import { ApiError, type QueryFault } from "../api/errors";
import { t } from "./i18n.svelte";
import { isMe } from "./me.svelte";
import { formatTime } from "./format";

export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.unexpected");
  const { code, details } = error;
  if (code === "locked" || code === "draft") {
    const { userName: user, expire } = details;
    if (user === undefined) return t("error.locked_by_other");
    if (isMe(user)) return ownMessage(code, expire);
    if (code === "draft") return t("error.draft", { user });
    return expire ? t("error.locked", { user, until: formatTime(expire) }) : t("error.locked_now", { user });
  }
  if (details.queryFault !== undefined) return queryMessage(details.queryFault);
  if (details.nameFault !== undefined) return t(`name_fault.${details.nameFault}`);
  const [reason, ...others] = details.reasons ?? [];
  if (reason !== undefined && others.length === 0) return t(`stuck.${reason}`);
  return t(`error.${code}`);
}

function queryMessage(fault: QueryFault): string {
  switch (fault.kind) {
    case "too_long":
    case "regex_without_path":
      return t(`query_fault.${fault.kind}`);
    case "regex": {
      const { reason, at } = fault;
      return typeof at === "number" ? t("query_fault.regex_at", { reason, at }) : t("query_fault.regex", { reason });
    }
    case "date":
      return t("query_fault.date", { date: fault.date });
    case "value": {
      const { field, value } = fault;
      return field === "size" ? t("query_fault.size", { value }) : t("query_fault.rating", { value });
    }
    case "type":
      return t("query_fault.type", { value: fault.value, types: fault.types });
    case "album":
      // An address names an album by its id.
      return /^[0-9A-HJKMNP-TV-Z]{26}$/i.test(fault.album) ? t("query_fault.album_gone") : t("query_fault.album", { album: fault.album });
  }
}

/** The message if another window of the same user holds the page. */
function ownMessage(code: "locked" | "draft", expire: string | undefined): string {
  if (code === "draft") return t("error.draft_own");
  return expire ? t("error.locked_own", { until: formatTime(expire) }) : t("error.locked_own_now");
}
