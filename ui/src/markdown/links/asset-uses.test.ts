import { expect, it } from "vitest";
import { UsesCounter } from "./asset-uses";

const usesIn = (text: string) => Object.fromEntries(new UsesCounter("/garden").count(text));

it.each([
  ["![](asset:moss.png) and [it](asset:moss.png)", { "moss.png": 2 }],
  ["![](asset:%E8%8B%94%20%E5%AF%BA.jpg)", { "苔 寺.jpg": 1 }],
  ["![](<asset:苔 寺.jpg>)", { "苔 寺.jpg": 1 }],
  ["![](asset:a(1).pdf)", { "a(1).pdf": 1 }],
  ['<img src="asset:a.png">', { "a.png": 1 }],
  ["[a](asset:../garden/a.png) ![](asset:/garden/a.png)", { "a.png": 2 }],
  ["[a](asset:../elsewhere/a.png)", {}],
  ["`![](asset:a.png)`\n\n```md\n![](asset:b.png)\n```\n![](asset:c.png)", { "c.png": 1 }],
  ["asset: is a word", {}],
  // A definition shows nothing by itself.
  ["![x][a] and ![y][a]\n\n[a]: asset:a.png", { "a.png": 2 }],
  ["[a]: asset:a.png", {}],
  ["[![](asset:a.png)](asset:a.png)", { "a.png": 1 }],
  ["[![](asset:a.png)](asset:b.png)", { "a.png": 1, "b.png": 1 }],
  // Text, code, formulas and comments only mention its name.
  ["asset:a.png, \\!\\[](asset:b.png)\n\n    ![](asset:c.png)\n\n<!-- ![](asset:d.png) -->\n\n$![](asset:e.png)$", {}],
  ["| ![](asset:a.png) |\n| --- |\n| `![](asset:a.png)` |", { "a.png": 1 }],
])("%j shows %j", (text, expected) => {
  expect(usesIn(text)).toEqual(expected);
});

it("counts the uses in the current text", () => {
  const counter = new UsesCounter("/garden");
  const same = "![](asset:a.png)\n\n![](asset:a.png)\n\n";
  expect(Object.fromEntries(counter.count(`${same}b`))).toEqual({ "a.png": 2 });
  expect(Object.fromEntries(counter.count(`${same}![](asset:b.png)`))).toEqual({ "a.png": 2, "b.png": 1 });
});
