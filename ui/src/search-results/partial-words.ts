// The missing parts of an answer, in words.
import type { PartialAnswer } from "../api/search";
import type { Translate } from "../i18n";

/** True if the same question would have the same answer again. */
export function isLasting({ reason }: PartialAnswer): boolean {
  return reason === "time_limit" || reason === "long_pages";
}

export function partialWords(t: Translate, { reason, indexed, of }: PartialAnswer): string {
  switch (reason) {
    case "indexing":
      return t("search.indexing", { indexed, of });
    case "index_failed":
      return t("search.index_failed", { indexed, of });
    case "reading_pictures":
      return t("search.reading_pictures", { indexed, of });
    case "folders_missing":
      return t("search.folders_missing", { missing: of - indexed, of });
    case "records_failed":
      return t("search.records_failed");
    case "time_limit":
      return t("search.time_limit", { indexed, of });
    case "long_pages":
      return t("search.long_pages", { count: of - indexed });
  }
}
