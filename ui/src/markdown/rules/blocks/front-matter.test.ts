import { expect, it } from "vitest";
import { dom } from "../../testing";

it("shows metadata as it is", () => {
  const page = dom("---\ntitle: <b>庭</b>\nlink: [a](/b)\n---\n\n# 庭");
  expect(page.querySelector("pre.front-matter")?.textContent).toBe("title: <b>庭</b>\nlink: [a](/b)");
  expect(page.querySelector("h1")?.firstChild?.textContent).toBe("庭");
  expect(page.querySelector("a:not(.anchor)")).toBeNull();
});

it.each(["---\n\ntext", "text\n\n---\na: b\n---", "---\nnever closed"])("%j has none", (source) => {
  expect(dom(source).querySelector(".front-matter")).toBeNull();
});
