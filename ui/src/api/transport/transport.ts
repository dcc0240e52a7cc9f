// The transport of the page's requests: HTTP, or in the desktop window the command of the same operation (ADR 0005).
import { COMMANDS, WHOLE_BODIES } from "virtual:commands";
import { ApiError } from "../errors";
import { type EncodedPath, pathFields } from "../names";
import { apiError, bodyOf, type Method, type Observer } from "./request";

export type Invoke = (command: string, values?: Record<string, unknown>) => Promise<unknown>;

/** Calls a command. `method` is the method of the same request over HTTP. */
export type Command = (method: Method, command: string, values?: Record<string, unknown>) => Promise<unknown>;

/** A request of the client, before it is written as an address and a body. */
export interface ApiRequest {
  method: Method;
  /** The path of the OpenAPI document, with its parameters in braces. */
  schemaPath: string;
  params: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  init: RequestInit;
}

/**
 * The reads that the window runs as commands. All others use HTTP, which has the answers that are preloaded, cached or
 * streamed, and ends the work of a read that the page has given up.
 */
const READS: ReadonlySet<string> = new Set([
  "asset_list",
  "asset_zombies",
  "cache_stats",
  "hash_list",
  "hash_name",
  "lock_status",
  "revision_diff",
  "revision_list",
  "ttl_policy_get",
]);

/** A change whose answer depends on a header of the browser: the first page is in the language that it prefers. */
const BY_HEADER = "user_create";

/** A command's name and its arguments. */
export interface CommandCall {
  command: string;
  values: Record<string, unknown>;
}

/**
 * The command that the window runs for a request; null if the request is sent over HTTP. Changes have to be sent over
 * HTTP if they can be aborted, because only the end of a connection ends their work, or if they outlive the page.
 */
export function commandOf({ method, schemaPath, params, init }: ApiRequest): CommandCall | null {
  const { body } = init;
  if (method !== "GET" && (init.signal || init.keepalive !== undefined)) return null;
  if (body && !isJson(init)) return null;
  const command = commandNamed(`${method} ${schemaPath}`, params.query);
  if (command === undefined || command === BY_HEADER || (method === "GET" && !READS.has(command))) return null;
  const values: Record<string, unknown> = { ...params.path };
  for (const [name, value] of Object.entries(params.query ?? {})) Object.assign(values, argument(name, value));
  const proof = params.header?.["X-Lock-Authentication"];
  if (typeof proof === "string") values["token"] = proof.replace(/^token=/, "");
  if (typeof body === "string") {
    const fields = JSON.parse(body) as Record<string, unknown>;
    const whole = WHOLE_BODIES[command];
    Object.assign(values, whole === undefined ? fields : { [whole]: fields });
  }
  return { command, values };
}

/** Several commands may share an address: each has a parameter that the others do not have. */
function commandNamed(request: string, query: Record<string, unknown> = {}): string | undefined {
  const own = COMMANDS[request];
  if (own !== undefined) return own;
  const given = Object.keys(query).find((name) => query[name] !== undefined && `${request}?${name}` in COMMANDS);
  return given === undefined ? undefined : COMMANDS[`${request}?${given}`];
}

/** An argument for a query's value; a path that is not UTF-8 is in base64. */
function argument(name: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return { [name]: value };
  const fields = pathFields((value as { raw: EncodedPath }).raw);
  return "path" in fields ? { [name]: fields.path } : { [`${name}_bytes`]: fields.path_bytes };
}

function isJson({ body, headers }: RequestInit): boolean {
  return typeof body === "string" && new Headers(headers).get("Content-Type") === "application/json";
}

/** Runs the command of a request. The answer is the one of HTTP; a read that is aborted rejects with the abort's reason. */
export async function answerByCommand(command: Command, request: ApiRequest, call: CommandCall): Promise<Response> {
  const { signal } = request.init;
  signal?.throwIfAborted();
  const answer = command(request.method, call.command, call.values);
  return responseOf(await (signal ? unlessAborted(answer, signal) : answer));
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The answer of HTTP for the answer of a command, which has the fields of a lock's header in the body. */
function responseOf(answer: unknown): Response {
  if (answer === null) return new Response(null, { status: 204 });
  const { token, expire } = answer as { token?: unknown; expire?: unknown };
  const isLock = typeof token === "string" && typeof expire === "string";
  return Response.json(answer, isLock ? { headers: { "X-Page-Lock": `expire=${expire} token=${token}` } } : {});
}

/** Creates a caller over Tauri's `invoke`. */
export function createCommand(observe: Observer, invoke: Invoke): Command {
  return async (method, command, values) => {
    try {
      const answer = await invoke(command, values);
      observe({ method, error: null });
      return answer;
    } catch (cause) {
      const body = bodyOf(cause);
      const error = body === null ? new ApiError("internal", 0, String(cause), {}, { cause }) : apiError(body, 0);
      observe({ method, error });
      throw error;
    }
  };
}
