import { expect, test } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import { fileNamed, nextFile, viewableFiles } from "./companions";

const mtime = "2026-11-20T12:00:00Z";
const picture: FolderEntry = {
  name: "a.jpg",
  kind: "picture",
  size: 1,
  mtime,
  id: "j",
  rating: 4,
  companions: [
    { part: "raw", name: "a.cr3", kind: "picture", size: 9, mtime, id: "r" },
    { part: "edits", name: "a.aae", kind: "other", size: 2, mtime },
  ],
};
const alone: FolderEntry = { name: "b.jpg", kind: "picture", size: 1, mtime };

test("a picture's viewable files have its marks", () => {
  const [, raw] = viewableFiles(picture);
  expect(viewableFiles(picture).map(({ name }) => name)).toEqual(["a.jpg", "a.cr3"]);
  expect(raw).toMatchObject({ id: "r", size: 9, rating: 4 });
  expect(viewableFiles(alone)).toEqual([alone]);
});

test("files are found by name, in a circle", () => {
  const raw = fileNamed(picture, "a.cr3" as EncodedPath);
  expect(raw?.id).toBe("r");
  expect(fileNamed(picture, encodeName(picture))).toBe(picture);
  expect(fileNamed(picture, "a.aae" as EncodedPath)).toBeUndefined();
  expect(nextFile(picture, picture)?.name).toBe("a.cr3");
  expect(nextFile(picture, raw ?? picture)?.name).toBe("a.jpg");
  expect(nextFile(alone, alone)).toBeNull();
});
