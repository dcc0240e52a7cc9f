// Reports in a page the content that is left out of it.
import type { Translate } from "../../i18n";
import type { Omission } from "./bounds";
import type { PageWords } from "../page-words";

/** Returns the report as a separate line of HTML. */
export function reportOmission(words: PageWords, omission: Omission): string {
  return `<p class="left-out">${escaped(words.leftOut(omission))}</p>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns the text of the report. */
export function omissionText(t: Translate, omission: Omission): string {
  if (omission.kind === "nesting") return t("reading.left_out_nesting");
  const { count, shown } = omission;
  switch (omission.kind) {
    case "columns":
      return t("reading.left_out_columns", { count, shown });
    case "notes":
      return t("reading.left_out_notes", { count, shown });
    case "mentions":
      return t("reading.left_out_mentions", { count, shown });
  }
}
