import { expect, it } from "vitest";
import { clipboardName } from "./clipboard-name";

const NOW = new Date(2026, 10, 21, 9, 5, 2);

it.each([
  ["image.png", "picture-20261121-090502.png"],
  ["moss.png", "moss.png"],
  ["image (1).png", "image (1).png"],
])("%s is named %s", (name, expected) => {
  expect(clipboardName({ name }, "picture", NOW)).toBe(expected);
});

it("a picture without a file has no extension", () => {
  expect(clipboardName(null, "画像", NOW)).toBe("画像-20261121-090502");
});
