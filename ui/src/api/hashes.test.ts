import { expect, it, vi } from "vitest";
import { hashesApi } from "./hashes";
import { hashesAddress, parseHashesAddress } from "./hashes-address";
import { canonicalPath } from "./names";
import { address, type Method, type RequestOptions } from "./request";

/** The requests that an API sends, each answered with the same. */
function recording(answer: unknown = { id: "J1" }) {
  const send = vi.fn((method: Method, path: string, options: RequestOptions = {}) => {
    void [method, path, options];
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
  const sent = () => send.mock.calls.map(([method, path, { query, json } = {}]) => [method, address(path, query), ...(json === undefined ? [] : [JSON.parse(JSON.stringify(json)) as unknown])]);
  return { api: hashesApi(send), sent };
}

it("a list is asked for by its filters, a place by its bytes", async () => {
  const { api, sent } = recording();
  await api.list({ dir: "own", state: "corrupt", q: "京 都", place: { root: "R1", path: canonicalPath("a/%FF.jpg") }, offset: 100 });
  expect(sent()).toEqual([["GET", "/api/hashes?dir=own&state=corrupt&q=%E4%BA%AC%20%E9%83%BD&offset=100&root=R1&path=a/%FF.jpg"]]);
});

it("a record of a path that is not UTF-8 is asked for by its bytes", async () => {
  const { api, sent } = recording();
  await api.detail({ path: "/\ufffd", path_bytes: "L/8=" });
  await api.accept({ path: "/\ufffd", path_bytes: "L/8=" });
  expect(sent()).toEqual([
    ["GET", "/api/hashes/record?path=%2F%FF"],
    ["POST", "/api/hashes/accept", { path_bytes: "L/8=" }],
  ]);
});

it("jobs answer with their ids", async () => {
  const { api, sent } = recording({ id: "J7" });
  expect(await api.verify()).toBe("J7");
  await api.record({ root: "R1", path: canonicalPath("2026") }, { full: true });
  await api.migrate(true, "own");
  expect(sent()).toEqual([
    ["POST", "/api/hashes/verify", {}],
    ["POST", "/api/hashes/record", { full: true, root: "R1", path: "2026" }],
    ["POST", "/api/hashes/migrate", { dir: "own", dry_run: true }],
  ]);
});

it.each([
  ["/hashes", { part: "records", within: null }],
  ["/hashes?part=report", { part: "report", within: null }],
  ["/hashes?part=nothing", { part: "records", within: null }],
  ["/hashes?root=R1&path=a/%FF.jpg", { part: "records", within: { root: "R1", path: "a/%FF.jpg" } }],
])("the address %s names a place", (text, place) => {
  expect(parseHashesAddress(new URL(text, "http://x"))).toEqual(place);
});

it("other addresses name none", () => {
  expect(parseHashesAddress(new URL("http://x/hashes/a"))).toBeNull();
});

it("a place has the address that names it", () => {
  const within = { root: "R1", path: canonicalPath("a/%FF b.jpg") };
  expect(parseHashesAddress(new URL(hashesAddress({ within }), "http://x"))?.within).toEqual(within);
});
