import { expect, it } from "vitest";
import { displayName } from "./display-name";
import { thumbnailStep } from "../../api/formats/thumbnail-step";

it.each([
  ["DSC_1.JPG", "DSC_1.JPG"],
  ["台所 2.jpg", "台所 2.jpg"],
  ["a\nb", "a\\nb"],
  ["a\u001b[31mb", "a\\u{1b}[31mb"],
  ["evil\u202egpj.exe", "evil\\u{202e}gpj.exe"],
  ["a\u200bb", "a\\u{200b}b"],
  ["photo.exe\u3164.jpg", "photo.exe\\u{3164}.jpg"],
  ["photo.exe\u{e0041}.jpg", "photo.exe\\u{e0041}.jpg"],
  ["a\ufe0f.jpg", "a\\u{fe0f}.jpg"],
  ["写真\u200d.exe", "写真\\u{200d}.exe"],
  ["葛\u{e0100}城 1\ufe0f\u20e3 ❤\ufe0f 👩🏽\u200d❤\ufe0f\u200d👨 می\u200cخواهم", "葛\u{e0100}城 1\ufe0f\u20e3 ❤\ufe0f 👩🏽\u200d❤\ufe0f\u200d👨 می\u200cخواهم"],
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
])("%i pixels at density %d need size %i", (box, ratio, size) => {
  expect(thumbnailStep(box, ratio)).toBe(size);
});
