import { expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { columnsThatFit, columnText, orderBy, toggled } from "./columns";

const picture: FolderEntry = { name: "a.b.jpg", kind: "picture", size: 2048, mtime: "2026-11-20T00:00:00Z", taken: "2025-04-01T09:30:00", width: 4000, height: 3000, camera: "X-T30", tags: ["a", "b/c"] };
const folder: FolderEntry = { name: "more.2026", kind: "folder", size: 0, mtime: "2026-11-20T00:00:00Z" };

it("columns leave room for names", () => {
  const columns = ["taken", "size", "camera"] as const;
  expect(columnsThatFit(columns, 1_000)).toEqual(columns);
  expect(columnsThatFit(columns, 368)).toEqual(["taken"]);
  expect(columnsThatFit(columns, 300)).toEqual(["size"]);
  expect(columnsThatFit(columns, 200)).toEqual([]);
});

it("columns are added in their order", () => {
  expect(toggled(["taken", "camera"], "size")).toEqual(["taken", "size", "camera"]);
  expect(toggled(["taken", "camera"], "taken")).toEqual(["camera"]);
});

it("a second press reverses the order", () => {
  expect(orderBy({ sort: "name", order: "desc" }, "size")).toEqual({ sort: "size", order: "asc" });
  expect(orderBy({ sort: "size", order: "asc" }, "size")).toEqual({ sort: "size", order: "desc" });
  // The best pictures are of interest.
  expect(orderBy({ sort: "size", order: "asc" }, "rating")).toEqual({ sort: "rating", order: "desc" });
});

it("texts of unknown values are empty", () => {
  const texts = (entry: FolderEntry) => (["taken", "type", "size", "pixels", "duration", "camera", "tags"] as const).map((column) => columnText(entry, column).replaceAll(/\s/g, " "));
  expect(texts(picture)).toEqual(["Apr 1, 2025, 9:30 AM", "JPG", "2 KiB", "4,000 × 3,000", "", "X-T30", "a, b/c"]);
  expect(columnText({ ...picture, video: true, duration: 75_000 }, "duration")).toBe("1:15");
  expect(texts(folder)).toEqual(["", "", "", "", "", "", ""]);
});
