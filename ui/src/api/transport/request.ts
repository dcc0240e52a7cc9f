// HTTP requests: an address and the options of `fetch` in; a successful answer or an `ApiError` out.
import { ApiError, type ErrorCode, type ErrorDetails } from "../errors";
import type { EncodedPath } from "../names";
import type { components } from "../schema";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Strings and numbers are encoded; a path from `names.ts` is inserted unchanged, in an object that marks it. */
export type QueryValue = string | number | boolean | { raw: EncodedPath } | null | undefined;

export type ErrorBody = components["schemas"]["Error"];

/** Receives the outcome of every request, so that the frame can report faults; `error` is null on success. */
export type Observer = (outcome: { method: Method; error: ApiError | null }) => void;

/** Holds requests back during more urgent work. */
export class Gate {
  #held: Promise<void> | null = null;

  /** Holds requests that begin from now on until `urgent` has settled. */
  hold(urgent: Promise<unknown>): void {
    const held: Promise<void> = urgent
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (this.#held === held) this.#held = null;
      });
    this.#held = held;
  }

  /** The work that requests wait for; null if they may go at once. */
  get held(): Promise<void> | null {
    return this.#held;
  }
}

/** `fetch` for the server's API: throws an `ApiError` unless the answer is a success. */
export type ApiFetch = (address: string, init: RequestInit & { method: Method }) => Promise<Response>;

/** A fetch of the API over `fetch`. An aborted request rejects with the abort's own reason and is not observed. */
export function createApiFetch(observe: Observer, fetcher: typeof fetch = (...args) => fetch(...args)): ApiFetch {
  return async (address, init) => {
    const { method } = init;
    let response: Response;
    try {
      response = await fetcher(address, { credentials: "same-origin", ...init });
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      const error = new ApiError("unreachable", 0, "no answer", {}, { cause });
      observe({ method, error });
      throw error;
    }
    if (response.ok) {
      observe({ method, error: null });
      return response;
    }
    const error = await errorOf(response);
    observe({ method, error });
    throw error;
  };
}

/** A path with its query. */
export function address(path: string, query: Record<string, QueryValue> = {}): string {
  const formatted = formatQuery(query);
  return formatted === "" ? path : `${path}?${formatted}`;
}

/** A query without a question mark; absent values are left out. */
export function formatQuery(query: Record<string, QueryValue>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    parts.push(`${name}=${typeof value === "object" ? value.raw : encodeURIComponent(value)}`);
  }
  return parts.join("&");
}

/** The error of an answer. An answer that is not ours (a proxy's page, for example) is described by its status. */
async function errorOf(response: Response): Promise<ApiError> {
  const body = bodyOf(await jsonOf(response));
  return body === null
    ? new ApiError(codeOfStatus(response.status), response.status, response.statusText)
    : apiError(body, response.status);
}

/** The error in a body of the contract's form. */
export function apiError(body: ErrorBody, status: number): ApiError {
  const details: ErrorDetails = {};
  if (body.moved_to) details.movedTo = body.moved_to;
  if (body.path) details.path = body.path;
  if (body.user_name) details.userName = body.user_name;
  if (body.expire) details.expire = body.expire;
  if (body.page_id) details.pageId = body.page_id;
  if (typeof body.seq === "number") details.seq = body.seq;
  if (body.names) details.names = body.names;
  if (body.reasons) details.reasons = body.reasons;
  if (typeof body.count === "number") details.count = body.count;
  if (typeof body.identical === "number") details.identical = body.identical;
  if (body.name_fault) details.nameFault = body.name_fault;
  if (body.query_fault) details.queryFault = body.query_fault;
  if (typeof body.revision === "number") details.revision = body.revision;
  if (typeof body.retry_after === "number") details.retryAfter = body.retry_after;
  if (body.reason) details.reason = body.reason;
  if (body.service_message) details.serviceMessage = body.service_message;
  if (body.technical_detail) details.technicalDetail = body.technical_detail;
  return new ApiError(body.code, status, body.message, details);
}

/** The body in the contract's form, or null. */
export function bodyOf(value: unknown): ErrorBody | null {
  const body = typeof value === "object" ? (value as Partial<ErrorBody> | null) : null;
  return body && typeof body.code === "string" ? { ...body, code: body.code, message: body.message ?? "" } : null;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // Not JSON: only the status is known.
    return null;
  }
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return "unauthenticated";
  if (status === 404) return "not_found";
  if (status === 413) return "too_large";
  if (status === 415) return "unsupported_media_type";
  return status >= 500 ? "internal" : "bad_request";
}
