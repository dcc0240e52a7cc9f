import { expect, it } from "vitest";
import { createClient } from "./transport/client";
import { hashesApi } from "./hashes";
import { hashesAddress, type HashesPlace, NO_HASH_FILTER, parseHashesAddress } from "./addresses/hashes-address";
import { canonicalPath } from "./names";
import { recordRequests } from "./transport/request-recorder";

/** The requests that an API sends, each answered with the same. */
function recording(answer: unknown = { id: "J1" }) {
  const { fetcher, sent } = recordRequests(() => Response.json(answer));
  return { api: hashesApi(createClient(fetcher)), sent };
}

it("requests lists by filter and places by bytes", async () => {
  const { api, sent } = recording();
  await api.list({ dir: "own", state: "corrupt", q: "京 都", place: { root: "R1", path: canonicalPath("a/%FF.jpg") }, offset: 100 });
  expect(sent()).toEqual([["GET", "/api/hashes?dir=own&state=corrupt&q=%E4%BA%AC%20%E9%83%BD&offset=100&root=R1&path=a/%FF.jpg"]]);
});

it("requests records of non-UTF-8 paths by bytes", async () => {
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

const PLACE: HashesPlace = { part: "records", within: null, filter: NO_HASH_FILTER, job: null };

it.each<[string, Partial<HashesPlace>]>([
  ["/hashes", {}],
  ["/hashes?part=report", { part: "report" }],
  ["/hashes?part=report&job=H1", { part: "report", job: "H1" }],
  ["/hashes?part=nothing&state=nothing&kind=nothing", {}],
  ["/hashes?root=R1&path=a/%FF.jpg", { within: { root: "R1", path: canonicalPath("a/%FF.jpg") } }],
  ["/hashes?state=corrupt&kind=fallback&q=%E4%BA%AC%20b", { filter: { state: "corrupt", kind: "fallback", q: "京 b" } }],
])("the address %s names a place", (text, place) => {
  expect(parseHashesAddress(new URL(text, "http://x"))).toEqual({ ...PLACE, ...place });
});

it("other addresses have no job id", () => {
  expect(parseHashesAddress(new URL("http://x/hashes/a"))).toBeNull();
});

it.each<Partial<HashesPlace>>([
  { within: { root: "R1", path: canonicalPath("a/%FF b.jpg") }, filter: { state: "changed", kind: null, q: "a&b" } },
  { part: "report", job: "H 1" },
])("the address of a place names it: %j", (place) => {
  expect(parseHashesAddress(new URL(hashesAddress(place), "http://x"))).toEqual({ ...PLACE, ...place });
});
