import { describe, expect, it } from "vitest";
import type { PageListQuery } from "../api/backend";
import { page } from "../testing/fake-backend";
import type { ListCursor } from "./address";
import { pagesAddress, parsePagesAddress } from "./address";
import { PART, readPart } from "./page-list";

/** Lists as the server does: by path, a page and its subpages, from a cursor that excludes its own page. */
function serverOf(paths: string[]) {
  const sorted = [...paths].sort();
  return {
    list({ prefix = "/", forward, rewind, limit = 50 }: PageListQuery = {}) {
      const matches = sorted.filter((path) => prefix === "/" || path === prefix || path.startsWith(`${prefix}/`));
      if (rewind !== undefined) {
        const before = matches.filter((path) => path < rewind);
        return Promise.resolve({ items: before.slice(-limit).map((path) => page(path)), has_more: before.length > limit });
      }
      const after = matches.filter((path) => forward === undefined || path > forward);
      return Promise.resolve({ items: after.slice(0, limit).map((path) => page(path)), has_more: after.length > limit });
    },
  };
}

async function listed(paths: string[], prefix: string, cursor: ListCursor = null) {
  const { items, hasBefore, hasAfter } = await readPart(serverOf(paths), { prefix, cursor });
  return { paths: items.map(({ path }) => path), hasBefore, hasAfter };
}

const GARDEN = ["/", "/a", "/ab", "/ab/c", "/abc", "/b", "/旅", "/旅/京", "/旅/京/秋", "/旅/京都", "/旅/金沢"];

describe("a part of the list", () => {
  it.each([
    ["", GARDEN],
    ["/", GARDEN],
    ["/ab", ["/ab", "/ab/c", "/abc"]],
    ["ab", ["/ab", "/ab/c", "/abc"]],
    ["/ab/", ["/ab", "/ab/c"]],
    ["/旅/京", ["/旅/京", "/旅/京/秋", "/旅/京都"]],
    ["/旅/京都", ["/旅/京都"]],
    ["/none", []],
    ["/../x", []],
  ])("of paths that start with %j", async (prefix, expected) => {
    expect(await listed(GARDEN, prefix)).toEqual({ paths: [...expected].sort(), hasBefore: false, hasAfter: false });
  });

  it("pages in both directions without gaps or duplicates", async () => {
    const many = Array.from({ length: 2 * PART + 7 }, (_, index) => `/log/${String(index).padStart(4, "0")}`);
    const paths = ["/a", "/lo", ...many, "/z"];
    const first = await listed(paths, "/log/0");
    const second = await listed(paths, "/log/0", { after: first.paths.at(-1) ?? "" });
    const third = await listed(paths, "/log/0", { after: second.paths.at(-1) ?? "" });
    expect([...first.paths, ...second.paths, ...third.paths]).toEqual(many);
    expect([first, second, third].map(({ hasBefore, hasAfter }) => [hasBefore, hasAfter])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    const back = await listed(paths, "/log/0", { before: third.paths[0] ?? "" });
    expect(back).toEqual(second);
    expect(await listed(paths, "/log/0", { before: back.paths[0] ?? "" })).toEqual({ ...first, hasAfter: true });
  });
});

it("an address round-trips the part", () => {
  for (const place of [
    { prefix: "", cursor: null },
    { prefix: "/旅/", cursor: { after: "/旅/a b?&" } },
    { prefix: "京", cursor: { before: "/京" } },
  ]) {
    expect(parsePagesAddress(new URL(pagesAddress(place), "http://x/"))).toEqual(place);
  }
  expect(parsePagesAddress(new URL("http://x/pages/more"))).toBeNull();
});
