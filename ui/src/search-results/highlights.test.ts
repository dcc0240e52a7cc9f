import { render } from "@testing-library/svelte";
import { expect, it } from "vitest";
import Highlights from "./Highlights.svelte";

it("a long name's highlights continue in its ending", () => {
  const text = "IMG_20261128_160411_001.jpg";
  const { container } = render(Highlights, { marked: { text, highlights: [[13, 19]] }, isFileName: true });
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["16041", "1"]);
});
