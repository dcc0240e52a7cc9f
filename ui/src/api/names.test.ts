import { describe, expect, it } from "vitest";
import { resolvePath, canonicalPath, encodeName, encodePath, joinPath, parentPath, readableSegment, ROOT_PATH, pathFields, lastSegment, pathFrom } from "./names";

describe("names as bytes", () => {
  it.each([
    ["DSC_1.JPG", undefined, "DSC_1.JPG"],
    ["京都 50%", undefined, "%E4%BA%AC%E9%83%BD%2050%25"],
    ["a+b&c=d#e?f", undefined, "a%2Bb%26c%3Dd%23e%3Ff"],
    ["caf\ufffd", btoa("caf\xe9"), "caf%E9"],
  ])("%s is encoded from its own bytes", (name, name_bytes, expected) => {
    expect(encodeName(name_bytes === undefined ? { name } : { name, name_bytes })).toBe(expected);
  });

  it("joins and splits paths", () => {
    const path = joinPath(joinPath(ROOT_PATH, { name: "旅" }), { name: "a b" });
    expect(path).toBe("%E6%97%85/a%20b");
    expect(parentPath(path)).toBe("%E6%97%85");
    expect(parentPath(canonicalPath("a"))).toBe("");
    expect(parentPath(ROOT_PATH)).toBeNull();
  });

  it("names deeper entries by path from the folder", () => {
    const deep = { name: "a b", folder: "旅/京都" };
    expect(encodeName(deep)).toBe("%E6%97%85/%E4%BA%AC%E9%83%BD/a%20b");
    expect(joinPath(canonicalPath("x"), { ...deep, folder: "\ufffd", folder_bytes: btoa("\xff") })).toBe("x/%FF/a%20b");
    expect(pathFrom(canonicalPath("x/y"), canonicalPath("x/y/z/a"))).toBe("z/a");
    expect(pathFrom(ROOT_PATH, canonicalPath("z/a"))).toBe("z/a");
    expect([resolvePath(ROOT_PATH, canonicalPath("a")), resolvePath(canonicalPath("a"), ROOT_PATH)]).toEqual(["a", "a"]);
    expect(lastSegment(canonicalPath("x/y"))).toBe("y");
  });

  it.each([
    ["%e6%97%85//a b/", "%E6%97%85/a%20b"],
    ["caf%e9/100%", "caf%E9/100%25"],
    ["旅", "%E6%97%85"],
  ])("%s has one canonical form", (given, expected) => {
    expect(canonicalPath(given)).toBe(expected);
  });

  it.each([
    ["%E6%97%85/a%20b.jpg", { path: "旅/a b.jpg" }],
    ["", { path: "" }],
    ["%EF%BB%BFa", { path: "\ufeffa" }],
    ["caf%E9/a", { path_bytes: btoa("caf\xe9/a") }],
  ])("%s is sent as text or in base64", (path, expected) => {
    expect(pathFields(canonicalPath(path))).toEqual(expected);
  });

  it("keeps non-UTF-8 bytes in addresses, shows a replacement", () => {
    expect(canonicalPath(encodeName({ name: "", name_bytes: btoa("\xff\xfe") }))).toBe("%FF%FE");
    expect(readableSegment("caf%E9")).toBe("caf\ufffd");
    expect(readableSegment(encodePath("旅"))).toBe("旅");
  });
});
