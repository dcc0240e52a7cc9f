import { describe, expect, it } from "vitest";
import { editUrl, lineageOf, nameOfPage, normalizePagePath, pathOfWikiUrl, resolvePagePath, wikiUrl } from "./page-path";

describe("normalizePagePath", () => {
  it.each([
    ["/", "/"],
    ["//a///b/", "/a/b"],
    ["/a/./b/../c", "/a/c"],
    ["/か\u3099", "/が"],
    ["/旅/京都", "/旅/京都"],
  ])("%s becomes %s", (path, expected) => {
    expect(normalizePagePath(path)).toBe(expected);
  });

  it.each(["", "a/b", "/..", "/a/../..", "/a\u0000b", "/a\nb", "/a\u0085"])("%j is no absolute path", (path) => {
    expect(normalizePagePath(path)).toBeNull();
  });
});

describe("resolvePagePath", () => {
  it.each([
    ["庭", "/旅/京都", "/旅/庭"],
    ["./庭", "/旅/京都", "/旅/庭"],
    ["../読書", "/旅/京都", "/読書"],
    ["庭", "/", "/庭"],
    ["/庭", "/旅/京都", "/庭"],
  ])("%s on %s is %s", (written, page, expected) => {
    expect(resolvePagePath(written, page)).toBe(expected);
  });
});

describe("addresses", () => {
  it("encodes each segment by itself", () => {
    expect(wikiUrl("/旅/a b?#%")).toBe("/wiki/%E6%97%85/a%20b%3F%23%25");
    expect(editUrl("/")).toBe("/edit/");
  });

  it("reads its own addresses back", () => {
    for (const path of ["/", "/旅/a b?#%", "/100%"]) expect(pathOfWikiUrl(wikiUrl(path))).toBe(path);
  });

  it("ignores addresses outside /wiki/", () => {
    expect(pathOfWikiUrl("/wikipedia")).toBeNull();
    expect(pathOfWikiUrl("/edit/a")).toBeNull();
  });
});

it("names a page by its last segment", () => {
  expect(nameOfPage("/旅/京都")).toBe("京都");
  expect(nameOfPage("/")).toBe("");
});

it("lists the pages above", () => {
  expect(lineageOf("/旅/京都")).toEqual(["/", "/旅", "/旅/京都"]);
  expect(lineageOf("/")).toEqual(["/"]);
});
