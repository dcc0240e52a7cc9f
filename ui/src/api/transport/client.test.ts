import { describe, expect, it } from "vitest";
import { createClient, data, rawPath } from "./client";
import { ApiError } from "../errors";
import { canonicalPath } from "../names";
import { Gate } from "./request";
import { recordRequests } from "./request-recorder";

describe("a request", () => {
  it("encodes values and omits absent ones", async () => {
    const { fetcher, sent } = recordRequests(() => Response.json({ items: [] }));
    await createClient(fetcher).GET("/api/pages", { params: { query: { prefix: "/旅 &", forward: undefined, limit: 3 } } });
    expect(sent()).toEqual([["GET", "/api/pages?prefix=%2F%E6%97%85%20%26&limit=3"]]);
  });

  it("inserts the bytes of a path unchanged", async () => {
    const { fetcher, sent } = recordRequests(() => Response.json({}));
    const query = { root: "R 1", path: rawPath(canonicalPath("caf%E9/x")) };
    await createClient(fetcher).GET("/api/files/marks", { params: { query } });
    expect(sent()).toEqual([["GET", "/api/files/marks?root=R%201&path=caf%E9/x"]]);
  });

  it("encodes path parameters", async () => {
    const { fetcher, sent } = recordRequests(() => new Response(null, { status: 204 }));
    await createClient(fetcher).DELETE("/api/jobs/{id}", { params: { path: { id: "a/b $&" } } });
    expect(sent()).toEqual([["DELETE", "/api/jobs/a%2Fb%20%24%26"]]);
  });

  it.each<[string, Blob | string, string]>([
    ["a text", "# 題", "text/markdown; charset=utf-8"],
    ["a file", new Blob(["a"], { type: "image/png" }), "application/octet-stream"],
  ])("sends %s unchanged, with its own type", async (_, body, type) => {
    const { fetcher } = recordRequests(() => Response.json({ id: "J1" }));
    await createClient(fetcher).POST("/api/import", { body, headers: { "Content-Type": type } });
    const init = fetcher.mock.calls[0]?.[1];
    expect(init?.body).toBe(body);
    expect(new Headers(init?.headers).get("Content-Type")).toBe(type);
  });

  it("forwards its signal and keepalive", async () => {
    const { fetcher } = recordRequests(() => Response.json([]));
    const { signal } = new AbortController();
    await createClient(fetcher).GET("/api/jobs", { signal, keepalive: true });
    expect(fetcher.mock.calls[0]?.[1]).toMatchObject({ method: "GET", signal, keepalive: true });
  });
});

it("rejects with the fetch error", async () => {
  const error = new ApiError("locked", 409, "m");
  await expect(data(createClient(() => Promise.reject(error)).GET("/api/jobs"))).rejects.toBe(error);
});

describe("during urgent requests", () => {
  const answering = () => recordRequests(() => Response.json({ items: [] }));

  it.each([
    ["in a browser", null],
    ["in the window", () => Promise.reject(new Error("it has no command"))],
  ])("a new one waits, %s", async (_, command) => {
    const gate = new Gate();
    const { fetcher, sent } = answering();
    const client = createClient(fetcher, command, gate);
    let done: () => void = () => {};
    const urgent = client.GET("/api/search", { params: { query: { q: "before" } } });
    gate.hold(new Promise<void>((resolve) => (done = resolve)));
    const after = client.GET("/api/search", { params: { query: { q: "after" } } });
    await urgent;
    expect(sent()).toEqual([["GET", "/api/search?q=before"]]);
    done();
    await after;
    expect(sent()).toHaveLength(2);
    expect(gate.held).toBeNull();
  });

  it("a waiting one continues when they fail", async () => {
    const gate = new Gate();
    const { fetcher } = answering();
    gate.hold(Promise.reject(new Error("no")));
    await createClient(fetcher, null, gate).GET("/api/jobs");
    expect(fetcher).toHaveBeenCalledOnce();
  });
});
