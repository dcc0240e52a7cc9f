// Errors of requests: one error class, one closed list of codes.
import type { components } from "./schema";

export type ErrorCode = components["schemas"]["ErrorCode"];

/** The reason why an operation on a file cannot be undone. */
export type UndoObstacle = components["schemas"]["UndoObstacle"];

/** The fault of a search query. */
export type QueryFault = components["schemas"]["QueryFault"];

/** The server's codes, and one that only a page reports: no answer arrived at all. */
export type ApiErrorCode = ErrorCode | "unreachable";

/** A fault of a path or of the name of a hash record. */
export type NameFault = "empty" | "relative" | "zero_byte" | "too_long" | "unclean" | "escape" | "slash" | "path" | "irreversible" | "foreign";

/** The details of an error beside its code and message. */
export interface ErrorDetails {
  /** The new path of the page that was here (`page_not_found`). */
  movedTo?: string;
  /** The path in question, if it may differ from the requested one (`path_taken`, `invalid_path`, `page_not_found`). */
  path?: string;
  /** The user who holds the lock or writes the draft (`locked`, `draft`). */
  userName?: string;
  /** The expiry of that lock, RFC 3339. */
  expire?: string;
  /**
   * The user's own draft that is in the way: its lock can be taken over (`path_taken`, `draft`); or the page in the trash
   * that was at the path last (`page_not_found`).
   */
  pageId?: string;
  /** The sequence number from which a tab's autosave entries continue (`stale_sequence`). */
  seq?: number;
  /** Files that are in the way, or cannot be restored: the first of them (`file_name_taken`, `changed_since`). */
  names?: readonly string[];
  /** The reason why each of `names` cannot be restored, in their order (`changed_since`). */
  reasons?: readonly UndoObstacle[];
  /** The number of them. */
  count?: number;
  /** The number of them with the same contents, if they were compared (`file_name_taken`). */
  identical?: number;
  /** The revision that this tab has saved (`stale_sequence`). */
  revision?: number;
  /** The fault of a path or of the name of a hash record (`invalid_path`, `malformed_name`). */
  nameFault?: NameFault;
  /** The fault of a search query (`invalid_value`). */
  queryFault?: QueryFault;
  /** Seconds until a retry is allowed (`rate_limited`, `daily_limit_reached`, `vision_limited`). */
  retryAfter?: number;
  /** The failure of the service that describes pictures, by its code in docs/VISION.md. */
  reason?: string;
  /** The text of that service, or the output of the OCR command. */
  serviceMessage?: string;
  /** A detail of that failure without a translation, such as the system's message or a host. */
  technicalDetail?: string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: ApiErrorCode,
    /** The HTTP status; 0 if no answer arrived. */
    readonly status: number,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** True if an error carries one of these codes. */
export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
