// A request recorder for tests.
import { vi } from "vitest";
import type { ApiFetch } from "./request";

/** A fetch of the API that answers every request alike; `sent` lists the method, the address and the body, if any, of each. */
export function recordRequests(answer: () => Response) {
  const fetcher = vi.fn<ApiFetch>(() => Promise.resolve(answer()));
  const sent = () => fetcher.mock.calls.map(([address, { method, body }]) => [method, address, ...bodyOf(body)]);
  return { fetcher, sent };
}

/** A JSON body is parsed. */
function bodyOf(body: BodyInit | null | undefined): unknown[] {
  if (typeof body !== "string") return body ? [body] : [];
  return [body.startsWith("{") ? (JSON.parse(body) as unknown) : body];
}
