// What can go wrong when the page asks the server for something: one error class, one closed list of codes.
import type { components } from "./schema";

export type ErrorCode = components["schemas"]["ErrorCode"];

/** What keeps something that was done with a file from being undone. */
export type UndoObstacle = components["schemas"]["UndoObstacle"];

/** The server's codes, and the one that only a page can give: no answer came at all. */
export type ApiErrorCode = ErrorCode | "unreachable";

/** What is wrong with a path or with the name of a hash record. */
export type NameFault = "empty" | "relative" | "zero_byte" | "unclean" | "escape" | "slash" | "path" | "irreversible" | "foreign";

/** What an error may say beside its code and message. */
export interface ErrorDetails {
  /** Where the page of this path has moved (`page_not_found`). */
  movedTo?: string;
  /** Which path is meant, where it may be another than that which was asked for (`path_taken`, `invalid_path`). */
  path?: string;
  /** Who holds the lock or writes the draft (`locked`, `draft`). */
  userName?: string;
  /** When that lock ends, RFC 3339. */
  expire?: string;
  /** One's own draft that is in the way: its lock can be taken over (`path_taken`, `draft`). */
  pageId?: string;
  /** The number from which a tab's unsaved texts go on (`stale_sequence`). */
  seq?: number;
  /** Which files are in the way, or can't be brought back: the first of them (`file_name_taken`, `changed_since`). */
  names?: readonly string[];
  /** Why each of `names` can't be brought back, in their order (`changed_since`). */
  reasons?: readonly UndoObstacle[];
  /** How many of them there are. */
  count?: number;
  /** The revision that this tab has saved (`stale_sequence`). */
  revision?: number;
  /** What is wrong with a path or the name of a hash record (`invalid_path`, `malformed_name`). */
  nameFault?: NameFault;
  /** Seconds until it may be tried again (`rate_limited`, `daily_limit_reached`, `vision_limited`). */
  retryAfter?: number;
  /** What failed at the service that describes pictures, by its code in docs/VISION.md. */
  reason?: string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: ApiErrorCode,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether an error carries one of these codes. */
export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
