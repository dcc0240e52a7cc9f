// The reasons why a file or a hash record can't be used, in words.
import { t } from "../../i18n";

/** A reason as the server returns it: a code, and a complete English text. */
export interface HashReason {
  reason: string | null;
  reason_code?: string | null;
}

const PLAIN = [
  "file_missing", "no_record", "has_record", "link", "through_link", "not_regular", "changed_meanwhile",
  "permission_denied", "record_too_large", "record_empty", "foreign_name", "newer_record", "program_of_others", "record_kept",
  "recorded_again", "invalid_path", "no_column", "columns", "no_name", "standard_input", "escape",
  "unknown_line", "other_form",
] as const;
/** The reasons whose text says more than the code. */
const DETAILED = [
  "unreadable", "record_not_json", "record_field", "invalid_name", "other_path", "second_record",
  "name_taken", "older_name", "outside_folder", "other_algorithm",
] as const;

/** Returns null without a reason, and the server's text for an unknown code. */
export function reasonWords(why: HashReason & { reason: string }): string;
export function reasonWords(why: HashReason): string | null;
export function reasonWords({ reason, reason_code: code }: HashReason): string | null {
  if (reason === null) return null;
  const plain = PLAIN.find((one) => one === code);
  if (plain) return t(`hash_reason.${plain}`);
  const detailed = DETAILED.find((one) => one === code);
  return detailed ? t(`hash_reason.${detailed}`, { text: reason }) : reason;
}
