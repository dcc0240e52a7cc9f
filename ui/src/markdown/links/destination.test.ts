import { describe, expect, it } from "vitest";
import { addressOf, readAddress, readDestination } from "./destination";

const PAGE = "/旅/京都";
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe("readDestination", () => {
  it.each([
    ["/庭", { kind: "page", path: "/庭", tail: "" }],
    ["庭", { kind: "page", path: "/旅/庭", tail: "" }],
    ["../庭?rev=3#光", { kind: "page", path: "/庭", tail: "?rev=3#%E5%85%89" }],
    ["/%E5%BA%AD", { kind: "page", path: "/庭", tail: "" }],
    ["/100%", { kind: "page", path: "/100%", tail: "" }],
    ["/a%3Fb", { kind: "page", path: "/a?b", tail: "" }],
    ["//evil.example/x", { kind: "inert" }],
    ["?rev=2", { kind: "page", path: PAGE, tail: "?rev=2" }],
    ["#持ち物", { kind: "fragment", fragment: "持ち物" }],
    ["", { kind: "inert" }],
    [`page:${ID}`, { kind: "page-id", id: ID, tail: "" }],
    [`page:${ID.toLowerCase()}#a`, { kind: "page-id", id: ID, tail: "#a" }],
    ["page:nonsense", { kind: "inert" }],
    ["asset:写真.jpg", { kind: "asset", path: PAGE, file: "写真.jpg" }],
    ["asset:../奈良/鹿.jpg", { kind: "asset", path: "/旅/奈良", file: "鹿.jpg" }],
    ["asset:/a.png", { kind: "asset", path: "/", file: "a.png" }],
    ["asset:/", { kind: "inert" }],
    ["asset:../", { kind: "inert" }],
    ["https://example.org/a", { kind: "external", url: "https://example.org/a" }],
    ["HTTP://EXAMPLE.org", { kind: "external", url: "http://example.org/" }],
    ["mailto:aya@example.org", { kind: "external", url: "mailto:aya@example.org" }],
    ["http://", { kind: "inert" }],
    ["日記:今日", { kind: "page", path: "/旅/日記:今日", tail: "" }],
  ])("%s", (written, expected) => {
    expect(readDestination(written, PAGE)).toEqual(expected);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\u0000script:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "blob:http://127.0.0.1/x",
    "filesystem:x",
    "tauri://localhost",
    "ipc://localhost",
    "C:\\Windows",
    "unknown:thing",
  ])("%j is inert", (written) => {
    expect(readDestination(written, PAGE)).toEqual({ kind: "inert" });
    expect(readAddress(written, PAGE)).toEqual({ kind: "inert" });
  });
});

describe("readAddress", () => {
  it.each([
    ["/wiki/%E5%BA%AD#a", { kind: "page", path: "/庭", tail: "#a" }],
    ["庭", { kind: "page", path: "/旅/庭", tail: "" }],
    ["#a", { kind: "fragment", fragment: "a" }],
    ["//evil.example/x", { kind: "external", url: "http://evil.example/x" }],
    ["/api/asset?path=%2Fa&file=b.png", { kind: "asset", path: "/a", file: "b.png" }],
    ["/api/settings", { kind: "inert" }],
    ["/login?token=x", { kind: "inert" }],
  ])("%s", (href, expected) => {
    expect(readAddress(href, PAGE)).toEqual(expected);
  });
});

describe("addressOf", () => {
  it.each([
    ["/庭", "/wiki/%E5%BA%AD"],
    ["asset:a b&c.png", "/api/asset?path=%2F%E6%97%85%2F%E4%BA%AC%E9%83%BD&file=a%20b%26c.png"],
    ["#持ち物", "#%E6%8C%81%E3%81%A1%E7%89%A9"],
    [`page:${ID}#a`, `page:${ID}#a`],
    ["javascript:x", null],
  ])("%s becomes %s", (written, expected) => {
    expect(addressOf(readDestination(written, PAGE))).toBe(expected);
  });

  it("is parsed back unchanged", () => {
    for (const written of ["/a?b#c", "庭#光 2", "asset:a b.png", "#光", `page:${ID}`, "https://example.org/庭"]) {
      const destination = readDestination(written, PAGE);
      expect(readAddress(addressOf(destination) ?? "", PAGE)).toEqual(destination);
    }
  });
});
