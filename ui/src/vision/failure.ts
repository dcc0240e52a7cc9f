// The reasons why a picture was not described, in words, and the ways to resolve them.
import { ApiError, hasCode } from "../api/errors";
import type { Host } from "../api/host";
import type { VisionState } from "../api/vision";

export interface Failure {
  words: string;
  /** The service's own message, or the output of its command. */
  detail: string | null;
  /** True if a setting has to change first. */
  isOfSettings: boolean;
  /** The seconds until a retry is allowed; 0 if it is allowed at once. */
  wait: number;
}

const PROBLEMS = ["key_missing", "key_invalid", "key_unencrypted", "invalid_address", "no_command", "invalid_command"] as const;

/** Returns the reason why the service can't be used with its current settings; null if it can. */
export function problemOf({ problem, problem_reason: code }: VisionState, t: Host["t"]): string | null {
  if (!problem) return null;
  const known = PROBLEMS.find((one) => one === code);
  return known ? t(`vision.problem_${known}`) : t("vision.problem", { problem });
}

/** The longest wait that is counted down, in seconds. */
const COUNTED = 120;

const OF_SETTINGS: readonly string[] = ["unauthorized", "out_of_credit", "redirected", "untrusted_certificate", "command_missing"];
const REASONS = ["unauthorized", "out_of_credit", "redirected", "untrusted_certificate", "timed_out", "command_missing", "empty_answer"] as const;

export function failureOf(error: unknown, { t, describe }: Pick<Host, "t" | "describe">): Failure {
  if (!(error instanceof ApiError)) return { words: describe(error), detail: null, isOfSettings: false, wait: 0 };
  const { reason: code, retryAfter = 0 } = error.details;
  const reason = REASONS.find((one) => one === code);
  const isLimit = hasCode(error, "rate_limited", "vision_limited", "daily_limit_reached");
  const isOfService = hasCode(error, "vision_failed", "vision_refused", "vision_unreachable", "vision_limited", "model_gone", "not_configured");
  return {
    words: reason ? t(`vision.reason_${reason}`) : describe(error),
    detail: isOfService && error.message !== "" ? error.message : null,
    isOfSettings: hasCode(error, "not_configured", "model_gone", "mode_not_supported") || (code !== undefined && OF_SETTINGS.includes(code)),
    wait: isLimit && retryAfter <= COUNTED ? retryAfter : 0,
  };
}
