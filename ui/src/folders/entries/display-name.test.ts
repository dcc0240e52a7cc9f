import { expect, it } from "vitest";
import { displayName } from "./display-name";
import { thumbnailStep } from "../../api/thumbnail-step";

it.each([
  ["DSC_1.JPG", "DSC_1.JPG"],
  ["台所 2.jpg", "台所 2.jpg"],
  ["a\nb", "a\\nb"],
  ["a\u001b[31mb", "a\\u{1b}[31mb"],
  ["evil\u202egpj.exe", "evil\\u{202e}gpj.exe"],
  ["a\u200bb", "a\\u{200b}b"],
])("%j is shown as %j", (name, expected) => {
  expect(displayName(name)).toBe(expected);
});

it.each([
  [96, 1, 128],
  [160, 1, 192],
  [160, 2, 384],
  [192, 1, 192],
  [512, 2, 1024],
  [512, 3, 1536],
  [770, 2, 2048],
  [770, 3, 2048],
  [160, 0.5, 192],
])("a box of %i pixels at density %d uses a thumbnail of %i", (box, ratio, size) => {
  expect(thumbnailStep(box, ratio)).toBe(size);
});
