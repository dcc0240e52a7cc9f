import { expect, it } from "vitest";
import { usesIn } from "./uses";

it.each([
  ["![](asset:moss.png) and [it](asset:moss.png)", { "moss.png": 2 }],
  ["![](asset:%E8%8B%94%20%E5%AF%BA.jpg)", { "苔 寺.jpg": 1 }],
  ["![](<asset:苔 寺.jpg>)", { "苔 寺.jpg": 1 }],
  ["[a]: asset:a(1).pdf\n", { "a(1).pdf": 1 }],
  ['<img src="asset:a.png">', { "a.png": 1 }],
  ["[a](asset:../garden/a.png) ![](asset:/garden/a.png)", { "a.png": 2 }],
  ["[a](asset:../elsewhere/a.png)", {}],
  ["`![](asset:a.png)`\n\n```md\n![](asset:b.png)\n```\n![](asset:c.png)", { "c.png": 1 }],
  ["asset: is a word", {}],
])("%j names %j", (text, expected) => {
  expect(Object.fromEntries(usesIn(text, "/garden"))).toEqual(expected);
});
