import { describe, expect, it } from "vitest";
import type { PageListItem } from "../../api/backend";
import { ancestorsOf, buildTree, placesOfDuplicates, visibleRows } from "./page-tree";

const page = (path: string, { deleted = false, title = null }: { deleted?: boolean; title?: string | null } = {}): PageListItem => ({
  page_id: path,
  path,
  deleted,
  title,
  last_update: { revision: 1, timestamp: "2026-11-20T00:00:00Z", user_name: "Aya" },
});
const collator = new Intl.Collator("ja", { numeric: true });
const treeOf = (...paths: string[]) => buildTree(paths.map((path) => page(path)), collator);
const outline = (rows: ReturnType<typeof visibleRows>) => rows.map(({ node, level }) => `${"-".repeat(level)}${node.name}`);

describe("the tree of pages", () => {
  it("has a node for every step of a path, page or not", () => {
    const tree = treeOf("/", "/旅/京都/秋の庭", "/旅/金沢");
    expect(tree).toMatchObject([
      { name: "旅", path: "/旅", isPage: false, below: 2, children: [{ name: "京都", isPage: false }, { name: "金沢", isPage: true }] },
    ]);
  });

  it("groups subpages despite names that sort between", () => {
    expect(treeOf("/a", "/a b", "/a/c")).toMatchObject([
      { name: "a", isPage: true, below: 1 },
      { name: "a b", below: 0 },
    ]);
  });

  it("omits deleted pages", () => {
    expect(buildTree([page("/a", { deleted: true })], collator)).toEqual([]);
  });

  it.each([["京都の旅", "京都の旅"], [null, "a"], ["", "a"]])("labels a page with the title %j", (title, label) => {
    expect(buildTree([page("/a", { title })], collator)).toMatchObject([{ name: "a", label }]);
  });

  it("tells siblings with one title apart", () => {
    const tree = buildTree([page("/a", { title: "Notes" }), page("/b", { title: "Notes" }), page("/c/d", { title: "Notes" })], collator);
    expect(visibleRows(tree, new Set(["/c"])).map(({ node, isShared }) => [node.path, isShared])).toEqual([["/a", true], ["/b", true], ["/c", false], ["/c/d", false]]);
  });

  it("orders by the language, numbers by their size", () => {
    expect(treeOf("/第10章", "/第2章").map(({ name }) => name)).toEqual(["第2章", "第10章"]);
  });

  it("shows only open nodes", () => {
    const tree = treeOf("/a/b/c", "/d");
    expect(outline(visibleRows(tree, new Set()))).toEqual(["-a", "-d"]);
    expect(outline(visibleRows(tree, new Set(["/a", "/a/b"])))).toEqual(["-a", "--b", "---c", "-d"]);
    expect(outline(visibleRows(tree, new Set(["/a/b"])))).toEqual(["-a", "-d"]);
  });

  it("lists the nodes to open for a page", () => {
    expect(ancestorsOf("/a/b/c")).toEqual(["/a", "/a/b"]);
    expect(ancestorsOf("/")).toEqual([]);
  });

  it("is built quickly from ten thousand pages in one folder", () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => `/日記/${index}`);
    const start = performance.now();
    expect(treeOf(...paths)[0]?.below).toBe(10_000);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

it("pages with the same name show their folders", () => {
  const pages = [
    { path: "/Travel/Osaka/Hotels", label: "Hotels" },
    { path: "/Hotels", label: "Hotels" },
    { path: "/Travel", label: "Travel" },
    { path: "/notes/a", label: "Notes" },
    { path: "/notes/b", label: "Notes" },
  ];
  expect(Object.fromEntries(placesOfDuplicates(pages))).toEqual({
    "/Travel/Osaka/Hotels": "/Travel/Osaka",
    "/Hotels": "/",
    "/notes/a": "/notes/a",
    "/notes/b": "/notes/b",
  });
});
