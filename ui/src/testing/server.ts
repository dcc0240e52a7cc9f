// A server at `fetch` for tests: the page's client runs over it. Handlers have the types of the OpenAPI document.
import { afterEach, vi } from "vitest";
import type { Backend } from "../api/backend";
import { ApiError, type ApiErrorCode, type ErrorDetails } from "../api/errors";
import type { ApiEvents, ConnectionHandler, EventMap, EventName } from "../api/events/events";
import { createHttpBackend } from "../api/transport/http";
import { type EncodedPath, readableSegment } from "../api/names";
import { createApiFetch } from "../api/transport/request";
import type { paths } from "../api/schema";

type Verb = "get" | "put" | "post" | "patch" | "delete";

/** A method and a path of the document: "GET /api/jobs/{id}". */
export type Endpoint = {
  [P in keyof paths]: { [V in Verb]: paths[P][V] extends object ? `${Uppercase<V>} ${P}` : never }[Verb];
}[keyof paths];

type Operation<E> = E extends `${infer M} ${infer P extends keyof paths}` ? paths[P][Lowercase<M> & keyof paths[P]] : never;
type Parameters<E, Place extends string> = Operation<E> extends { parameters: { [N in Place]?: infer Values } } ? NonNullable<Values> : never;
/** Operations of a backend as spies, which its requests pass through. */
export type Spied<T> = ReturnType<typeof vi.mockObject<T>>;
type Content<C> = C extends { content: infer Types } ? Types[keyof Types] : void;

/** The body of a success; nothing if it has none. */
export type Answer<E> = Operation<E> extends { responses: infer R } ? Content<R[keyof R & (200 | 201 | 202 | 204)]> : never;

export interface ServedRequest<E extends Endpoint> {
  path: { [N in keyof Parameters<E, "path">]: string };
  query: { [N in keyof Parameters<E, "query">]?: string };
  /** The values of the query as they were sent: a path is percent-encoded. */
  encoded: { [N in keyof Parameters<E, "query">]?: EncodedPath };
  body: Operation<E> extends { requestBody?: infer B } ? Content<NonNullable<B>> : undefined;
  headers: Headers;
  signal: AbortSignal | null;
}

/**
 * A thrown `ApiError` is the answer; one of the code "unreachable" breaks the connection. `next` answers by the handler
 * that was set before.
 */
export type Handle<E extends Endpoint> = (
  request: ServedRequest<E>,
  next: () => Promise<Answer<E>>,
) => Answer<E> | Response | Promise<Answer<E> | Response>;

interface Route {
  endpoint: Endpoint;
  method: string;
  pattern: RegExp;
  names: string[];
  handle: (request: ServedRequest<Endpoint>) => unknown;
}

let unexpected: string[] = [];

afterEach(() => {
  const requests = unexpected;
  unexpected = [];
  if (requests.length > 0) throw new Error(`requests without a handler: ${requests.join(", ")}`);
});

export class Server {
  /** While set, every request fails with it. */
  fault: ApiErrorCode | null = null;
  /** The page's client of this server. Its operations are spies. */
  readonly backend: Omit<Spied<Backend>, "desktop"> & Pick<Backend, "desktop">;
  readonly #routes: Route[] = [];
  readonly #sent: { endpoint: Endpoint; request: ServedRequest<Endpoint> }[] = [];
  readonly #handlers = new Map<EventName, Set<(data: never) => void>>();
  readonly #connection = new Set<ConnectionHandler>();

  constructor() {
    const backend = createHttpBackend(createApiFetch(() => {}, (address, init) => this.#fetch(address as string, init ?? {})), this.#events());
    this.backend = vi.mockObject(backend, { spy: true });
    Object.defineProperty(navigator, "sendBeacon", {
      configurable: true,
      writable: true,
      value: (address: string, body: string) => {
        void this.#fetch(address, { method: "POST", body });
        return true;
      },
    });
  }

  /** Answers an endpoint from now on. */
  on<E extends Endpoint>(endpoint: E, handle: Handle<E>): void {
    const [method = "", path = ""] = endpoint.split(" ");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
    const former = this.#routes.find((one) => one.endpoint === endpoint);
    const handleAny = handle as unknown as (request: ServedRequest<Endpoint>, next: () => Promise<unknown>) => unknown;
    const route = { endpoint, method, pattern, names, handle: (request: ServedRequest<Endpoint>) => handleAny(request, () => Promise.resolve(former?.handle(request))) };
    this.#routes.unshift(route);
  }

  /** Answers the next request to an endpoint. */
  once<E extends Endpoint>(endpoint: E, handle: Handle<E>): void {
    let isAnswered = false;
    this.on(endpoint, (request, next) => {
      if (isAnswered) return next();
      isAnswered = true;
      return handle(request, next);
    });
  }

  /** The requests to an endpoint, in order. */
  sent<E extends Endpoint>(endpoint: E): ServedRequest<E>[] {
    return this.#sent.filter((one) => one.endpoint === endpoint).map(({ request }) => request as unknown as ServedRequest<E>);
  }

  /** Sends an event to every listener. */
  emit<K extends EventName>(name: K, data: EventMap[K]): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(data as never);
  }

  /** Opens or closes the stream of events. */
  connect(connected = true): void {
    for (const handler of this.#connection) handler(connected);
  }

  #events(): ApiEvents {
    return {
      on: (name, handler) => {
        const handlers = this.#handlers.get(name) ?? new Set();
        this.#handlers.set(name, handlers.add(handler));
        return () => handlers.delete(handler);
      },
      onConnection: (handler) => {
        this.#connection.add(handler);
        return () => this.#connection.delete(handler);
      },
    };
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    const { method = "GET", headers, body, signal = null } = init;
    const [path = "", query = ""] = address.split("?");
    const matching = this.#routes.filter((one) => one.method === method && one.pattern.test(path));
    // A fixed path precedes one with parameters.
    const route = matching.find((one) => one.names.length === Math.min(...matching.map(({ names }) => names.length)));
    if (route === undefined) {
      unexpected.push(`${method} ${address}`);
      return errorResponse(new ApiError("not_found", 404, `no handler of ${method} ${path}`));
    }
    const values = route.pattern.exec(path)?.slice(1).map(readableSegment) ?? [];
    const encoded = query.split("&").filter((part) => part !== "").map((part) => part.split("=") as [string, string]);
    const request = {
      path: Object.fromEntries(route.names.map((name, at) => [name, values[at]])),
      query: Object.fromEntries(encoded.map(([name, value]) => [name, readableSegment(value)])),
      encoded: Object.fromEntries(encoded),
      body: isJson(headers) ? (JSON.parse(body as string) as unknown) : body,
      headers: new Headers(headers),
      signal,
    } as unknown as ServedRequest<Endpoint>;
    this.#sent.push({ endpoint: route.endpoint, request });
    try {
      if (this.fault !== null) fail(this.fault);
      const answer = route.handle(request);
      return responseOf(await (signal ? unlessAborted(answer, signal) : answer));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "unreachable") throw new TypeError("no connection", { cause: error });
      return errorResponse(error);
    }
  }
}

/** Answers a request with an error. */
export function fail(code: ApiErrorCode, details: ErrorDetails = {}): never {
  throw new ApiError(code, code === "unreachable" ? 0 : 400, code, details);
}

/** The part of a list that a query requests. */
export function partOf<T>(items: readonly T[], { offset = "0", limit = "100" }: { offset?: string; limit?: string }): T[] {
  return items.slice(Number(offset), Number(offset) + Number(limit));
}

async function unlessAborted(answer: unknown, signal: AbortSignal): Promise<unknown> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", (abort = () => reject(signal.reason as Error))));
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function isJson(headers: HeadersInit | undefined): boolean {
  return new Headers(headers).get("Content-Type") === "application/json";
}

function responseOf(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (answer === undefined) return new Response(null, { status: 204 });
  return typeof answer === "string" ? new Response(answer) : Response.json(answer);
}

function errorResponse({ code, message, status, details }: ApiError): Response {
  const fields = Object.entries(details).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value as unknown]);
  return Response.json({ ...Object.fromEntries(fields), code, message }, { status });
}
