import { expect, it } from "vitest";
import { partsOfName, typedName } from "./file-extension";

it.each([
  ["a.jpg", "a", ".jpg"],
  ["a.tar.gz", "a.tar", ".gz"],
  ["a", "a", ""],
  [".hidden", ".hidden", ""],
])("%s is split at its last dot", (name, stem, extension) => {
  expect(partsOfName(name)).toEqual({ stem, extension });
});

it.each([
  // Kept, as no other one was typed.
  ["cat", ".jpg", "cat.jpg", true],
  ["cat.", ".jpg", "cat.jpg", true],
  ["v1.2", ".jpg", "v1.2.jpg", true],
  ["2024.10.03", ".jpg", "2024.10.03.jpg", true],
  ["Dr. Sato", ".jpg", "Dr. Sato.jpg", true],
  ["photo.final", ".jpg", "photo.final.jpg", true],
  ["京都。夏", ".HEIC", "京都。夏.HEIC", true],
  ["", ".jpg", ".jpg", true],
  // Typed, the same or another one.
  ["cat.jpg", ".jpg", "cat.jpg", false],
  ["cat.JPG", ".jpg", "cat.JPG", false],
  ["cat.png", ".jpg", "cat.png", false],
  ["cat.tar.gz", ".zip", "cat.tar.gz", false],
  // Nothing to keep.
  ["README.final", "", "README.final", false],
  ["README", "", "README", false],
])("“%s” typed for extension %s becomes %s", (text, extension, expected, isOpen) => {
  const typed = typedName(text, extension);
  expect([typed.stem + typed.extension, typed.isOpen]).toEqual([expected, isOpen]);
});
