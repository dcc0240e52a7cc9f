import { describe, expect, it } from "vitest";
import { DRAWING_TIME, MAX_DIAGRAM_LENGTH, MAX_DIAGRAM_STATEMENTS, MAX_DRAWN_STATEMENTS } from "../../rendering/bounds";
import { DrawingBudget, isTooLarge } from "./drawing-budget";

describe("a diagram", () => {
  it.each([
    ["of many lines", `flowchart TD\n${"a-->b\n".repeat(MAX_DIAGRAM_STATEMENTS)}`],
    ["of many statements", `flowchart TD;${"a-->b;".repeat(MAX_DIAGRAM_STATEMENTS)}`],
    ["of many characters", `pie\n"${"a".repeat(MAX_DIAGRAM_LENGTH)}": 1`],
    ["of many bits", 'packet-beta\n0-400000000: "x"'],
    ["of many groups of cells", `block-beta\n a ${"space:9000 ".repeat(200)} b`],
    ["of many cells", "block-beta\n a space:400000000 b"],
  ])("%s is too large", (_, source) => expect(isTooLarge(source)).toBe(true));

  it.each([
    "flowchart TD\n" + "a-->b\n".repeat(100),
    "pie\n\"a\": 12345678",
    'packet-beta\n0-15: "Source port"',
    "gantt\n x :a, 1900-01-01, 2000-01-01",
  ])("%j is drawn", (source) => expect(isTooLarge(source)).toBe(false));
});

describe("the diagrams of a page", () => {
  it("are drawn up to a total of statements", () => {
    const budget = new DrawingBudget(() => 0);
    const drawn = Array.from({ length: 20_000 }, () => budget.spend("pie\n\"a\": 1")).filter(Boolean);
    expect(drawn).toHaveLength(MAX_DRAWN_STATEMENTS / 2);
  });

  it("are drawn until the time is over", () => {
    let now = 7;
    const budget = new DrawingBudget(() => now);
    expect(budget.spend("pie")).toBe(true);
    now += DRAWING_TIME;
    expect(budget.spend("pie")).toBe(false);
  });
});
