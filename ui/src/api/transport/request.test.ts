import { describe, expect, it, vi } from "vitest";
import { ApiError, type ApiErrorCode } from "../errors";
import { canonicalPath } from "../names";
import { address, createApiFetch, type Observer } from "./request";

function answering(response: () => Response | Promise<Response>) {
  const observe = vi.fn<Observer>();
  const fetcher = vi.fn<typeof fetch>(async () => response());
  return { observe, fetcher, ask: createApiFetch(observe, fetcher) };
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

describe("a failed request", () => {
  it("carries the server's code and details", async () => {
    const body = { code: "locked", message: "m", user_name: "Aya", expire: "2026-11-20T00:00:00Z", moved_to: null };
    const { ask, observe } = answering(() => Response.json(body, { status: 409 }));
    const error = await failure(ask("/api/pages/1/lock", { method: "POST" }));
    expect(error).toMatchObject({ code: "locked", status: 409, message: "m" });
    expect(error.details).toEqual({ userName: "Aya", expire: "2026-11-20T00:00:00Z" });
    expect(observe).toHaveBeenCalledExactlyOnceWith({ method: "POST", error });
  });

  it("carries the unrestorable files, with reasons", async () => {
    const body = { code: "changed_since", message: "m", names: ["a", "b"], reasons: ["gone", "taken"], count: 2 };
    const { ask } = answering(() => Response.json(body, { status: 409 }));
    const { details } = await failure(ask("/api/files/operations/1/undo", { method: "POST" }));
    expect(details).toEqual({ names: ["a", "b"], reasons: ["gone", "taken"], count: 2 });
  });

  it.each<[number, ApiErrorCode]>([
    [401, "unauthenticated"],
    [404, "not_found"],
    [413, "too_large"],
    [415, "unsupported_media_type"],
    [400, "bad_request"],
    [502, "internal"],
  ])("that isn't ours (%i) is described by status", async (status, code) => {
    const { ask } = answering(() => new Response("<h1>no</h1>", { status }));
    expect((await failure(ask("/api/users", { method: "GET" }))).code).toBe(code);
  });

  it("reports an unreachable server without an answer", async () => {
    const { ask, observe } = answering(() => Promise.reject(new TypeError("Failed to fetch")));
    const error = await failure(ask("/api/users", { method: "GET" }));
    expect(error).toMatchObject({ code: "unreachable", status: 0 });
    expect(observe).toHaveBeenCalledWith({ method: "GET", error });
  });

  it("is not reported when the page cancelled it", async () => {
    const ending = new AbortController();
    const { ask, observe } = answering(() => Promise.reject(new DOMException("", "AbortError")));
    ending.abort();
    await expect(ask("/api/users", { method: "GET", signal: ending.signal })).rejects.toHaveProperty("name", "AbortError");
    expect(observe).not.toHaveBeenCalled();
  });
});

it("reports successful requests", async () => {
  const { ask, observe } = answering(() => new Response(null, { status: 204 }));
  await ask("/api/roots/1", { method: "DELETE" });
  expect(observe).toHaveBeenCalledWith({ method: "DELETE", error: null });
});

describe("an address", () => {
  it("encodes values and omits absent ones", () => {
    expect(address("/api/pages", { path: "/旅 &", rev: null, amend: undefined, limit: 3 })).toBe(
      "/api/pages?path=%2F%E6%97%85%20%26&limit=3",
    );
  });

  it("inserts bytes unchanged", () => {
    expect(address("/thumb", { path: { raw: canonicalPath("caf%E9/x") } })).toBe("/thumb?path=caf%E9/x");
  });
});
