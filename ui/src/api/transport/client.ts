// The client of the server's API, typed by the OpenAPI document.
import createOpenApiClient, { type Client } from "openapi-fetch";
import { ownPlace } from "../addresses/found-address";
import type { FilePlace, PlaceFields } from "../backend";
import { type EncodedPath, pathFields } from "../names";
import { type ApiFetch, formatQuery, Gate, type Method, type QueryValue } from "./request";
import type { paths } from "../schema";
import { answerByCommand, type ApiRequest, type Command, commandOf } from "./transport";

export type ApiClient = Client<paths>;

/**
 * A client over a fetch that throws every error: its answers are successes. In the desktop window, it has a caller of
 * commands too.
 */
export function createClient(fetcher: ApiFetch, command: Command | null = null, gate: Gate = new Gate()): ApiClient {
  // A request is made when it is called for, and sent after the middleware: one that began before the gate was held
  // must not wait at it.
  class GatedRequest extends RequestParts {
    readonly held = gate.held;
  }
  const client = createOpenApiClient<paths>({
    Request: GatedRequest as unknown as typeof Request,
    fetch: async (request) => {
      const { url, init, held } = request as unknown as GatedRequest;
      if (held !== null) await held;
      return fetcher(url, init);
    },
    querySerializer: (query) => formatQuery(query as Record<string, QueryValue>),
    // Texts and files are sent unchanged; their calls state the content type.
    bodySerializer: (body: unknown) => (typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body)),
  });
  if (command !== null) {
    client.use({
      onRequest({ request, schemaPath, params }) {
        const { method, init } = request as unknown as RequestParts;
        const asked: ApiRequest = { method, schemaPath, params, init };
        const call = commandOf(asked);
        return call === null ? undefined : answerByCommand(command, asked, call);
      },
    });
  }
  return client;
}

/**
 * The address and the options of a request. Stands in for `Request`, which resolves relative addresses and copies
 * bodies: `fetch` receives both unchanged.
 */
class RequestParts {
  readonly method: Method;

  constructor(
    readonly url: string,
    readonly init: RequestInit & { method: Method },
  ) {
    this.method = init.method;
  }
}

/** The body of an answer; undefined only where the document has a success without a body. */
export async function data<A extends { data?: unknown }>(answer: Promise<A>): Promise<Exclude<A, { data?: never }>["data"]> {
  // Never an error: those are thrown.
  return (await answer).data;
}

/** The text of an answer that is requested with `parseAs: "text"`: for an empty one, the client returns no data. */
export async function text(answer: Promise<{ data?: string }>): Promise<string> {
  return (await answer).data ?? "";
}

/** A path as a query's value: inserted unchanged. The document describes it as a string. */
export function rawPath(path: EncodedPath): string {
  return { raw: path } as unknown as string;
}

/** The query that names a file or folder below a root. */
export function placeQuery(place: FilePlace): { root: string; path: string } {
  const { root, path } = ownPlace(place);
  return { root, path: rawPath(path) };
}

/** The body that names a file or folder below a root. */
export function placeFields(place: FilePlace): PlaceFields {
  const { root, path } = ownPlace(place);
  return { root, ...pathFields(path) };
}
