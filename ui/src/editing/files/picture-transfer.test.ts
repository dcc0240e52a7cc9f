import { expect, it } from "vitest";
import { canonicalPath } from "../../api/names";
import { type TransferredPicture, passPictures, PICTURES_TYPE, readPictures, takePassedPictures, writePictures } from "./picture-transfer";

const MOSS: TransferredPicture = { root: "R1", path: canonicalPath("京都/moss.jpg"), name: "moss.jpg" };
const LATIN: TransferredPicture = { root: "R1", path: canonicalPath("caf%E9.jpg"), name: "caf\ufffd.jpg" };

/** A partial DataTransfer for a drag; the tests' document has none. */
function transfer(): DataTransfer {
  const stored = new Map<string, string>();
  return {
    setData: (type: string, text: string) => void stored.set(type, text),
    getData: (type: string) => stored.get(type) ?? "",
  } as unknown as DataTransfer;
}

it("dragged pictures keep their names byte for byte", () => {
  const data = transfer();
  writePictures(data, [MOSS, LATIN]);
  expect(readPictures(data)).toEqual([MOSS, LATIN]);
  expect(data.getData("text/plain")).toBe("moss.jpg\ncaf\ufffd.jpg");
});

it.each(["", "{", "7", "null", '["a",null,{"root":1,"path":"a","name":"a"}]'])("%j is no picture", (text) => {
  const data = transfer();
  data.setData(PICTURES_TYPE, text);
  expect(readPictures(data)).toEqual([]);
});

it("a drop without a drag transfers nothing", () => {
  expect(readPictures(null)).toEqual([]);
});

it("only the target page takes the pictures, once", () => {
  passPictures("P1", [MOSS]);
  expect(takePassedPictures("P2")).toEqual([]);
  expect(takePassedPictures("P1")).toEqual([MOSS]);
  expect(takePassedPictures("P1")).toEqual([]);
});

it("a withdrawn transfer is gone; others remain", () => {
  const takeBack = passPictures("P1", [MOSS]);
  passPictures("P2", [LATIN]);
  takeBack();
  expect(takePassedPictures("P2")).toEqual([LATIN]);
});
