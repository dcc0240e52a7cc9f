import { expect, it } from "vitest";
import { pictureNumber } from "./picture-number";

/** Builds a folder: `f` is a folder, `p` a picture, `o` another file; capitals were not read. */
function folder(entries: string) {
  const kinds = { f: "folder", p: "picture", o: "other" } as const;
  const at = (index: number) => {
    const kind = kinds[entries[index] as keyof typeof kinds];
    return kind && { kind };
  };
  return { total: entries.length, pictures: entries.toLowerCase().split("p").length - 1, at };
}

it.each<[string, number, number | null]>([
  ["ffpopop", 2, 1],
  ["ffpopop", 4, 2],
  ["ffpopop", 6, 3],
  // The range from the beginning to it, or from it to the end, was read completely.
  ["fpopOPO", 3, 2],
  ["FPOPopo", 5, 3],
  // All entries that are not pictures are known.
  ["ffpPPPpPPo", 6, 5],
  ["ffppPPPpPP", 7, 6],
  // The unread entries include another one.
  ["fpPOPpPPp", 5, null],
  ["fpPPPpPOp", 5, null],
])("in %s, index %i is picture number %s", (entries, index, expected) => {
  expect(pictureNumber(folder(entries), index)).toBe(expected);
});
