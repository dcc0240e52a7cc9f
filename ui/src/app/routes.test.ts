import { describe, expect, it } from "vitest";
import { picturesAddress } from "../folders/query/address";
import { canonicalPath, encodeName } from "../api/names";
import { jobAddress } from "./messages/job-routes";
import type { ViewDefinition } from "../view/definition";
import { parseAddress, routes } from "./routes";

const definitions = import.meta.glob<Record<string, unknown>>("../**/view.ts", { eager: true });

const at = (address: string) => parseAddress(new URL(address, "http://127.0.0.1:1/"));

describe("an address", () => {
  it.each([
    ["/", { name: "wiki", place: { path: "/", revision: null } }],
    ["/wiki", { name: "wiki", place: { path: "/", revision: null } }],
    ["/wiki/", { name: "wiki", place: { path: "/", revision: null } }],
    ["/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD/", { name: "wiki", place: { path: "/旅/京都", revision: null } }],
    ["/wiki/a?rev=3", { name: "wiki", place: { path: "/a", revision: 3 } }],
    ["/wiki/a?rev=x", { name: "wiki", place: { path: "/a", revision: null } }],
    ["/wiki/か%E3%82%99", { name: "wiki", place: { path: "/が", revision: null } }],
    ["/wiki/100%", { name: "wiki", place: { path: "/100%", revision: null } }],
    ["/edit/a/b", { name: "edit", place: { path: "/a/b" } }],
    ["/settings", { name: "settings", place: {} }],
    ["/settings/files", { name: "orphanedAssets", place: {} }],
    ["/pages?text=%E6%97%85&sort=-due", { name: "pages", place: { text: "旅", tag: "", where: null, order: { by: "due", descending: true } } }],
    ["/tasks?group=page", { name: "tasks", place: { group: "page", tag: "" } }],
    ["/wiki/a?at=2026-05-12T05:30:00Z", { name: "past", place: { path: "/a", at: "2026-05-12T05:30:00Z" } }],
    ["/?at=2026-05-12&rev=3", { name: "past", place: { path: "/", at: "2026-05-12" } }],
    ["/wiki/a?at=", { name: "wiki", place: { path: "/a", revision: null } }],
    ["/wiki/a?history&at=2026-05-12", { name: "history", place: { path: "/a", pair: null } }],
    ["/wiki/a?history", { name: "history", place: { path: "/a", pair: null } }],
    ["/wiki/a?history=3..7", { name: "history", place: { path: "/a", pair: { from: 3, to: 7 } } }],
    ["/wiki/a?history=x", { name: "history", place: { path: "/a", pair: null } }],
    ["/albums", { name: "albums", place: {} }],
    ["/albums/A1", { name: "album", place: { id: "A1" } }],
    ["/albums/", { name: "albums", place: {} }],
    ["/duplicates/", { name: "duplicates", place: { folder: null, search: null } }],
    ["/duplicates", { name: "duplicates", place: { folder: null, search: null } }],
    ["/duplicates/R1/a%20b?search=J1", { name: "duplicates", place: { folder: { root: "R1", path: "a%20b" }, search: "J1" } }],
    ["/cache", { name: "cache", place: {} }],
    ["/bin", { name: "trash", place: {} }],
    ["/bin?page=P1", { name: "trashedPage", place: { id: "P1", revision: null, pair: undefined } }],
    ["/bin?page=P1&rev=3", { name: "trashedPage", place: { id: "P1", revision: 3, pair: undefined } }],
    ["/bin?page=P1&history", { name: "trashedPage", place: { id: "P1", revision: null, pair: null } }],
    ["/bin?page=P1&history=3..7", { name: "trashedPage", place: { id: "P1", revision: null, pair: { from: 3, to: 7 } } }],
    ["/wikipedia", { name: "unknown", place: {} }],
    ["/api/users", { name: "unknown", place: {} }],
    ["/pictures", { name: "pictures", place: { root: null, path: "", view: null } }],
    ["/pictures/", { name: "pictures", place: { root: null, path: "", view: null } }],
    ["/pictures/R1/", { name: "pictures", place: { root: "R1", path: "", view: null } }],
    ["/pictures/R1/a%20b/c?view=d%2Be.jpg", { name: "pictures", place: { root: "R1", path: "a%20b/c", view: "d%2Be.jpg" } }],
    ["/pictures/R1/caf%e9", { name: "pictures", place: { root: "R1", path: "caf%E9", view: null } }],
  ])("%s", (address, route) => {
    expect(at(address)).toEqual(route);
  });

  it("of a picture keeps any name as written", () => {
    const folder = canonicalPath("旅/100%");
    for (const name of ["a+b c&d=e#f?.jpg", "京都.jpg", "..", "a%2Fb"]) {
      const view = encodeName({ name });
      expect(at(picturesAddress("R1", folder, view))).toEqual({ name: "pictures", place: { root: "R1", path: folder, view } });
    }
  });
});

it.each([
  ["cache_gc", "/cache"],
  ["ttl_run", "/cache"],
  ["verify_hashes", "/hashes?part=report&job=J1"],
  ["backup", "/settings#backup"],
] as const)("a job %s is shown at %s", (kind, address) => {
  expect(jobAddress({ id: "J1", kind })).toBe(address);
});

it("every defined view is registered", () => {
  const isView = (one: unknown): one is ViewDefinition<object, unknown> => typeof one === "object" && one !== null && "addresses" in one;
  const defined = Object.values(definitions).flatMap((exports) => Object.values(exports).filter(isView));
  const registered = Object.values(routes).map(({ parse }) => parse as unknown);
  expect(defined.length).toBeGreaterThan(10);
  expect(defined.filter(({ parse }) => !registered.includes(parse))).toEqual([]);
});

it("every section is an activity bar view", () => {
  const all = Object.values(routes);
  const bar = Object.entries(routes).flatMap(([name, { activity }]) => (activity === null ? [] : [name]));
  expect(all.map(({ section }) => section).filter((section) => section !== null && !bar.includes(section))).toEqual([]);
});
