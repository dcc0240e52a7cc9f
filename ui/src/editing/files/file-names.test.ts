import { expect, it } from "vitest";
import { renameFileInText } from "./file-names";

const rename = (text: string, to = "stag (1).jpg") => renameFileInText(text, "/garden", { from: "deer.jpg", to });

it.each([
  ["![](asset:deer.jpg)", "![](asset:stag%20%281%29.jpg)"],
  ['![Deer|200](asset:deer.jpg "In autumn")', '![Deer|200](asset:stag%20%281%29.jpg "In autumn")'],
  ["![](<asset:deer.jpg>)", "![](<asset:stag%20%281%29.jpg>)"],
  ["[a](asset:/garden/deer.jpg#x)", "[a](asset:/garden/stag%20%281%29.jpg#x)"],
  ["[a](asset:../garden/deer.jpg)", "[a](asset:../garden/stag%20%281%29.jpg)"],
  ["[a][b] [b]\n\n[b]: asset:deer.jpg", "[a][b] [b]\n\n[b]: asset:stag%20%281%29.jpg"],
  ['<img src="asset:deer.jpg" width="20">', '<img src="asset:stag%20%281%29.jpg" width="20">'],
  ["![](asset:de\\er.jpg) ![](asset:%64eer.jpg)", "![](asset:de\\er.jpg) ![](asset:stag%20%281%29.jpg)"],
  ["![[deer.jpg]] ![[files/deer.jpg|200x150]]", "![[stag (1).jpg]] ![[stag (1).jpg|200x150]]"],
  ["| a |\n|---|\n| ![[deer.jpg\\|200]] |", "| a |\n|---|\n| ![[stag (1).jpg\\|200]] |"],
  ["`![](asset:deer.jpg)` ![](asset:deer.jpg)\n\n```\n![[deer.jpg]]\n```", "`![](asset:deer.jpg)` ![](asset:stag%20%281%29.jpg)\n\n```\n![[deer.jpg]]\n```"],
])("%s", (text, expected) => {
  expect(rename(text)).toBe(expected);
});

it("writes destinations for names that can't be embedded", () => {
  expect(rename("![[deer.jpg|Deer|200]] ![[deer.jpg|200]] ![[deer.jpg]]", "a:b.jpg")).toBe("![Deer|200](asset:a:b.jpg) ![|200](asset:a:b.jpg) ![](asset:a:b.jpg)");
});

it.each(["deer.jpg", "`asset:deer.jpg`", "![](asset:/other/deer.jpg)", "![](asset:deer.jpg.png)", "![[/deer.jpg]]", ""])("%s is unchanged", (text) => {
  expect(rename(text)).toBeNull();
});
