import { render } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { splitName } from "./file-name";
import FileName from "./FileName.svelte";

it.each([
  ["a.jpg", ""],
  ["IMG_2041.jpeg", ""],
  ["IMG_20261128_160411_001.jpg", "1_001.jpg"],
  ["京都の紅葉と庭園の散歩その二.jpg", "の二.jpg"],
  // A letter and its mark stay together, and take the room of one.
  ["one more file of my trip e\u0301e\u0301e\u0301.jpg", "p e\u0301e\u0301e\u0301.jpg"],
])("the ending of %s is kept", (name, ending) => {
  const [start, end] = splitName(name);
  expect([start + end, end]).toEqual([name, ending]);
});

it("a long name is one text", () => {
  const name = "IMG_20261128_160411_001.jpg";
  const { container } = render(FileName, { name });
  expect(container.textContent).toBe(name);
});
