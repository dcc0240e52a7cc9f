import { expect, it } from "vitest";
import type { Root } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { galleryFence, placeOfFolder, readGallery } from "./gallery-options";

const root = (id: string, path: string): Root => ({ id, path, name: path.slice(path.lastIndexOf("/") + 1), available: true });
const PICTURES = root("R1", "/home/aya/Pictures");
const TRIPS = root("R2", "/home/aya/Pictures/旅");
const ROOTS = [PICTURES, TRIPS];

it("a folder without options has the defaults", () => {
  expect(readGallery("folder: /home/aya/Pictures\n")).toEqual({ folder: "/home/aya/Pictures", limit: 60, rows: 2, size: 160 });
});

it("reads every option in any order and spacing", () => {
  const source = "\nrows:1\n  size : 96\nlimit: 12\nfilter: moss: green\nrating: 3\ntag: 場所/京都\norder: desc\nsort: taken\nfolder:  Pictures/2024 \n";
  const expected = { folder: "Pictures/2024", sort: "taken", order: "desc", filter: "moss: green", rating: "3", tag: "場所/京都", limit: 12, rows: 1, size: 96 };
  expect(readGallery(source)).toEqual(expected);
});

it.each([
  ["", { kind: "no folder" }],
  ["folder:\n", { kind: "no folder" }],
  ["sort: taken\n", { kind: "no folder" }],
  ["folder: a\ncolour: red", { kind: "no option", name: "colour" }],
  ["folder: a\n__proto__: red", { kind: "no option", name: "__proto__" }],
  ["/home/aya/Pictures", { kind: "no option", name: "/home/aya/Pictures" }],
  ["folder: a\nsort: beauty", { kind: "bad value", name: "sort", value: "beauty" }],
  ["folder: a\norder: up", { kind: "bad value", name: "order", value: "up" }],
  ["folder: a\nrating: 6", { kind: "bad value", name: "rating", value: "6" }],
  ["folder: a\nlimit: 0", { kind: "bad value", name: "limit", value: "0" }],
  ["folder: a\nlimit: 501", { kind: "bad value", name: "limit", value: "501" }],
  ["folder: a\nrows: many", { kind: "bad value", name: "rows", value: "many" }],
  ["folder: a\nsize: 1e2", { kind: "bad value", name: "size", value: "1e2" }],
])("reports the error in %j", (source, fault) => {
  expect(readGallery(source)).toEqual(fault);
});

it.each([
  ["/home/aya/Pictures", "R1", ""],
  ["/home/aya/Pictures/2024/", "R1", "2024"],
  ["/home/aya/Pictures//./2024", "R1", "2024"],
  ["/home/aya/Pictures/旅/京都", "R2", "%E4%BA%AC%E9%83%BD"],
  ["Pictures", "R1", ""],
  ["Pictures/a b", "R1", "a%20b"],
  ["旅/京都", "R2", "%E4%BA%AC%E9%83%BD"],
])("%s is found in the innermost open folder", (folder, id, path) => {
  const place = placeOfFolder(folder, ROOTS);
  expect([place?.root.id, place?.path]).toEqual([id, path]);
});

it.each(["/home/aya", "/home/aya/PicturesOld", "/home/aya/Pictures/../secret", "Pictures/../..", "Elsewhere", "..", ""])(
  "%j is in none",
  (folder) => {
    expect(placeOfFolder(folder, ROOTS)).toBeNull();
  },
);

it("the disk's root may be open, too", () => {
  expect(placeOfFolder("/srv/a", [root("R0", "/")])?.path).toBe("srv/a");
});

it("a folder's fence leads back to it", () => {
  const fence = galleryFence(PICTURES, canonicalPath("2024/京都"));
  expect(fence).toBe("```gallery\nfolder: /home/aya/Pictures/2024/京都\n```\n");
  expect(galleryFence(PICTURES, canonicalPath(""))).toContain("folder: /home/aya/Pictures\n");
});

it.each(["caf%E9", "a%0Ab", "end%20"])("a folder named %s has no fence", (path) => {
  expect(galleryFence(PICTURES, canonicalPath(path))).toBeNull();
});
