import { expect, it } from "vitest";
import { setPictureSize } from "./picture-width";

const set = (text: string, index = 0, width: number | null = 320, height: number | null = null) => setPictureSize(text, "/garden", index, width === null ? null : { width, height });

it.each([
  ["![Deer](asset:deer.jpg)", "![Deer|320](asset:deer.jpg)"],
  ["![](asset:deer.jpg)", "![|320](asset:deer.jpg)"],
  ['![A *deer*|20x10](asset:deer.jpg "Caption")', '![A *deer*|320](asset:deer.jpg "Caption")'],
  ["![[deer.jpg]]", "![[deer.jpg|320]]"],
  ["![[deer.jpg|Deer|20]]", "![[deer.jpg|Deer|320]]"],
  ["[![Deer](asset:deer.jpg)](/a)", "[![Deer|320](asset:deer.jpg)](/a)"],
  ["![Deer][a]\n\n[a]: asset:deer.jpg", "![Deer|320][a]\n\n[a]: asset:deer.jpg"],
  ['<img src="asset:deer.jpg" width="20" height="10" />', '<img src="asset:deer.jpg" width="320" />'],
  ["| a |\n|---|\n| ![Deer](asset:deer.jpg) |", "| a |\n|---|\n| ![Deer\\|320](asset:deer.jpg) |"],
  ["`![](asset:deer.jpg)` ![](asset:deer.jpg)", "`![](asset:deer.jpg)` ![|320](asset:deer.jpg)"],
])("%s", (text, expected) => {
  expect(set(text)).toBe(expected);
});

it("changes the picture of that number", () => {
  const text = "![](asset:a.jpg)\n\n![](https://example.org/b.jpg)\n\n![](asset:a.jpg)";
  expect(set(text, 1)).toBe("![](asset:a.jpg)\n\n![](https://example.org/b.jpg)\n\n![|320](asset:a.jpg)");
});

it("writes a box, and removes a size", () => {
  expect(set("![a|20](asset:a.jpg)", 0, 200, 150)).toBe("![a|200x150](asset:a.jpg)");
  expect(set("![a|200x150](asset:a.jpg)", 0, null)).toBe("![a](asset:a.jpg)");
  expect(set("![[a.jpg|200]]", 0, null)).toBe("![[a.jpg]]");
});

it("changes nothing without such a picture", () => {
  expect(set("![](asset:a.jpg)", 1)).toBeNull();
  expect(set("text")).toBeNull();
});
