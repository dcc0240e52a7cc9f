// The reasons why a picture was not described, in words, and the ways to resolve them.
import { ApiError, hasCode } from "../api/errors";
import type { Host } from "../api/host";
import type { VisionState } from "../api/vision";
import { sentences } from "../i18n";

export interface Failure {
  words: string;
  /** Sentences that quote the service, the OCR command or the system. */
  details: readonly string[];
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
const REASONS = [
  "unauthorized",
  "bad_request",
  "out_of_credit",
  "empty_answer",
  "malformed_answer",
  "answer_too_large",
  "redirected",
  "untrusted_certificate",
  "timed_out",
  "service_error",
  "command_missing",
  "command_failed",
  "command_flooded",
  "command_over_limit",
] as const;

export function failureOf(error: unknown, { t, describe }: Pick<Host, "t" | "describe">): Failure {
  if (!(error instanceof ApiError)) return { words: describe(error), details: [], isOfSettings: false, wait: 0 };
  const { reason: code, retryAfter = 0 } = error.details;
  const isLimit = hasCode(error, "rate_limited", "vision_limited", "daily_limit_reached", "limiter_busy", "too_much_work");
  return {
    words: wordsOf(code, t) ?? describe(error),
    details: detailsOf(error, t),
    isOfSettings: hasCode(error, "not_configured", "consent_required", "model_gone", "mode_not_supported") || (code !== undefined && OF_SETTINGS.includes(code)),
    wait: isLimit && retryAfter <= COUNTED ? retryAfter : 0,
  };
}

function wordsOf(code: string | undefined, t: Host["t"]): string | null {
  const reason = REASONS.find((one) => one === code);
  if (reason) return t(`vision.reason_${reason}`);
  const problem = PROBLEMS.find((one) => one === code);
  return problem ? t(`vision.problem_${problem}`) : null;
}

function detailsOf({ details: { reason, serviceMessage, technicalDetail } }: ApiError, t: Host["t"]): string[] {
  const details: string[] = [];
  if (serviceMessage) details.push(t(reason === "command_failed" ? "vision.command_detail" : "vision.detail", { message: serviceMessage }));
  if (technicalDetail) details.push(t("vision.technical_detail", { detail: technicalDetail }));
  return details;
}

/** Returns the failure in one line, for a list or a message. */
export function failureText(error: unknown, host: Pick<Host, "t" | "describe">): string {
  const { words, details } = failureOf(error, host);
  return sentences(words, ...details);
}
