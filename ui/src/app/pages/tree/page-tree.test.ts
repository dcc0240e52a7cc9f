import { describe, expect, it } from "vitest";
import type { PageListItem } from "../../../api/backend";
import { ancestorsOf, dropTarget, orderBy, PageTree, placesOfDuplicates, type TreeNode } from "./page-tree";

const page = (path: string, { deleted = false, title = null, day = 1 }: { deleted?: boolean; title?: string | null; day?: number } = {}): PageListItem => ({
  page_id: path,
  path,
  deleted,
  title,
  last_update: { revision: 1, timestamp: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`, user_name: "Aya" },
});
const collator = new Intl.Collator("ja", { numeric: true });
const byTitle = orderBy("title", collator);
const treeOf = (...paths: string[]) => PageTree.ofPages(paths.map((path) => page(path)), byTitle);
const outline = (tree: PageTree, ...open: string[]) => tree.rows(new Set(open)).map(({ node, level }) => `${"-".repeat(level)}${node.name}`);

describe("the tree of pages", () => {
  it("has a node for every path step", () => {
    expect(treeOf("/", "/旅/京都/秋の庭", "/旅/金沢").top).toMatchObject([
      { name: "旅", path: "/旅", pageId: null, below: 2, children: [{ name: "京都", pageId: null }, { name: "金沢", pageId: "/旅/金沢" }] },
    ]);
  });

  it("groups subpages despite names that sort between", () => {
    expect(treeOf("/a", "/a b", "/a/c").top).toMatchObject([
      { name: "a", pageId: "/a", below: 1 },
      { name: "a b", below: 0 },
    ]);
  });

  it("omits deleted pages", () => {
    expect(PageTree.ofPages([page("/a", { deleted: true })], byTitle).top).toEqual([]);
  });

  it.each([["京都の旅", "京都の旅"], [null, "a"], ["", "a"]])("labels a page with the title %j", (title, label) => {
    expect(PageTree.ofPages([page("/a", { title })], byTitle).top).toMatchObject([{ name: "a", label }]);
  });

  it("tells siblings with one title apart", () => {
    const tree = PageTree.ofPages([page("/a", { title: "Notes" }), page("/b", { title: "Notes" }), page("/c/d", { title: "Notes" })], byTitle);
    expect(tree.rows(new Set(["/c"])).map(({ node, isShared }) => [node.path, isShared])).toEqual([["/c", false], ["/c/d", false], ["/a", true], ["/b", true]]);
  });

  it("orders by the language, numbers by their size", () => {
    expect(outline(treeOf("/第10章", "/第2章"))).toEqual(["-第2章", "-第10章"]);
  });

  it.each([
    ["title", ["c", "a", "b"]],
    ["path", ["a", "b", "c"]],
    ["changed", ["b", "c", "a"]],
  ] as const)("is sorted by %s", (sort, expected) => {
    const pages = [page("/a", { title: "Beta", day: 3 }), page("/b", { title: "Gamma", day: 2 }), page("/b/x", { day: 9 }), page("/c", { title: "Alpha", day: 5 })];
    expect(PageTree.ofPages(pages, orderBy(sort, collator)).top.map(({ name }: TreeNode) => name)).toEqual(expected);
  });

  it("shows only open nodes", () => {
    const tree = treeOf("/a/b/c", "/d");
    expect(outline(tree)).toEqual(["-a", "-d"]);
    expect(outline(tree, "/a", "/a/b")).toEqual(["-a", "--b", "---c", "-d"]);
    expect(outline(tree, "/a/b")).toEqual(["-a", "-d"]);
  });

  it("is the same from its visible levels", () => {
    const child = (path: string, title: string | null, pages: number, page_id: string | null = path) => ({ name: path.slice(path.lastIndexOf("/") + 1), path, title, pages, page_id });
    const levels = new Map([
      ["/", [child("/a", null, 2, null), child("/b", "Beta", 1)]],
      ["/a", [child("/a/x", "Alpha", 0), child("/a/y", null, 0)]],
    ]);
    const pages = [page("/a/x", { title: "Alpha" }), page("/a/y"), page("/b", { title: "Beta" }), page("/b/z")];
    const open = new Set(["/a"]);
    const shown = (tree: PageTree) => tree.rows(open).map(({ node, level, expanded }) => [node.path, node.label, node.pageId, node.below, level, expanded]);
    expect(shown(PageTree.ofLevels(levels, byTitle))).toEqual(shown(PageTree.ofPages(pages, byTitle)));
  });

  it("lists the nodes to open for a page", () => {
    expect(ancestorsOf("/a/b/c")).toEqual(["/a", "/a/b"]);
    expect(ancestorsOf("/")).toEqual([]);
  });

  it("is built quickly from ten thousand sibling pages", () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => `/日記/${index}`);
    const start = performance.now();
    expect(treeOf(...paths).rows(new Set(["/日記"]))).toHaveLength(10_001);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

it.each([
  ["/a", "/b", { to: "/b/a" }],
  ["/a/x", "/", { to: "/x" }],
  ["/a/x", "/ab", { to: "/ab/x" }],
  ["/a", "/a", { refused: "itself" }],
  ["/a", "/a/b/c", { refused: "below" }],
  ["/a/x", "/a", { refused: "there" }],
  ["/a", "/", { refused: "there" }],
] as const)("%s dropped on %s", (from, onto, expected) => {
  expect(dropTarget(from, onto)).toEqual(expected);
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
