import { expect, it } from "vitest";
import { dom } from "../../testing";

it("aligns columns by classes in a scrolling box", () => {
  const table = dom("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |").querySelector(".table-scroll > table");
  expect([...(table?.querySelectorAll("td") ?? [])].map((cell) => cell.className)).toEqual([
    "align-left",
    "align-center",
    "align-right",
  ]);
  expect(table?.querySelector("[style]")).toBeNull();
});

it("keeps an escaped bar of a wiki link", () => {
  expect(dom("| a |\n|---|\n| [[/庭\\|にわ]] |").querySelector("td a")?.textContent).toBe("にわ");
});
