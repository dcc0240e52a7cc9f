import { describe, expect, it } from "vitest";
import { type Choice, conflictsOf, merge, settle } from "./merge";

const text = (...lines: string[]) => lines.join("\n");

describe("changes without conflicts are merged", () => {
  it.each([
    ["nothing changed", "a\nb", "a\nb", "a\nb", "a\nb"],
    ["mine alone", "a\nb\nc", "a\nB\nc", "a\nb\nc", "a\nB\nc"],
    ["theirs alone", "a\nb\nc", "a\nb\nc", "a\nb\nC", "a\nb\nC"],
    ["both, in different places", "a\nb\nc\nd\ne", "A\nb\nc\nd\ne", "a\nb\nc\nd\nE", "A\nb\nc\nd\nE"],
    ["both the same", "a\nb", "a\nX", "a\nX", "a\nX"],
    ["mine added, theirs removed", "a\nb\nc\nd", "new\na\nb\nc\nd", "a\nb\nd", "new\na\nb\nd"],
    ["an end without a line break stays one", "a\nb\n", "a\nb", "A\nb\n", "A\nb"],
    ["Windows' line ends", "a\r\nb\r\nc", "a\r\nb\r\nC", "A\nb\nc", "A\nb\nC"],
    ["Japanese paragraphs", "庭\n\n苔\n\n石", "庭\n\n苔寺\n\n石", "お庭\n\n苔\n\n石", "お庭\n\n苔寺\n\n石"],
    ["theirs emptied, mine untouched", "a\nb", "a\nb", "", ""],
  ])("%s", (_, base, mine, theirs, expected) => {
    const parts = merge(base, mine, theirs);
    expect(conflictsOf(parts)).toEqual([]);
    expect(settle(parts, [])).toBe(expected);
  });
});

describe("conflicts are choices", () => {
  const parts = merge(text("a", "b", "c", "d", "e"), text("a", "mine", "c", "d", "my e"), text("a", "theirs", "c", "d", "e", "f"));

  it("one by one", () => {
    expect(conflictsOf(parts)).toEqual([
      { mine: ["mine"], theirs: ["theirs"] },
      { mine: ["my e"], theirs: ["e", "f"] },
    ]);
  });

  it.each<[Choice[], string]>([
    [["mine", "mine"], text("a", "mine", "c", "d", "my e")],
    [["theirs", "mine"], text("a", "theirs", "c", "d", "my e")],
    [["both", "theirs"], text("a", "theirs", "mine", "c", "d", "e", "f")],
    [["mine", "both"], text("a", "mine", "c", "d", "e", "f", "my e")],
  ])("%j", (choices, expected) => {
    expect(settle(parts, choices)).toBe(expected);
  });

  it("must all be made", () => {
    expect(() => settle(parts, ["mine"])).toThrow();
  });

  it.each([
    ["removed here, changed there", "a\nb\nc", "a\nc", "a\nB\nc", [], ["B"]],
    ["a new page on both sides", "", "mine", "theirs", ["mine"], ["theirs"]],
  ])("%s", (_, base, mine, theirs, ours, others) => {
    expect(conflictsOf(merge(base, mine, theirs))).toEqual([{ mine: ours, theirs: others }]);
  });
});

it("every difference is a choice without a base", () => {
  const parts = merge(null, text("a", "b", "c", "new"), text("a", "B", "c"));
  expect(conflictsOf(parts)).toEqual([
    { mine: ["b"], theirs: ["B"] },
    { mine: ["new"], theirs: [] },
  ]);
  expect(settle(parts, ["theirs", "mine"])).toBe(text("a", "B", "c", "new"));
});

describe("for random texts", () => {
  let seed = 11;
  const next = (below: number) => (seed = (seed * 16807) % 2147483647) % below;
  const some = () => text(...Array.from({ length: next(9) }, () => ["a", "b", "c", ""][next(4)] ?? ""));
  const rounds = Array.from({ length: 400 }, () => [some(), some(), some()] as const);

  it("one side everywhere keeps all of its changes", () => {
    for (const [base, mine, theirs] of rounds) {
      expect(settle(merge(base, mine, base), [])).toBe(mine);
      expect(settle(merge(base, base, theirs), [])).toBe(theirs);
      const open = merge(null, mine, theirs);
      const all = (choice: Choice) => conflictsOf(open).map(() => choice);
      expect(settle(open, all("mine"))).toBe(mine);
      expect(settle(open, all("theirs"))).toBe(theirs);
    }
  });

  it("every added line is in some part", () => {
    for (const [base, mine, theirs] of rounds) {
      const marked = text(mine, "only mine");
      const parts = merge(base, marked, text("only theirs", theirs));
      const everything = parts.flatMap((part) => ("lines" in part ? part.lines : [...part.conflict.mine, ...part.conflict.theirs]));
      expect(everything).toContain("only mine");
      expect(everything).toContain("only theirs");
    }
  });

  it("many equal lines are merged quickly", () => {
    const base = Array.from({ length: 8_000 }, (_, at) => (at % 2 === 0 ? "" : `line ${at}`));
    const mine = base.with(11, "mine");
    const theirs = base.with(7_011, "theirs");
    const start = performance.now();
    expect(settle(merge(text(...base), text(...mine), text(...theirs)), [])).toBe(text(...mine.with(7_011, "theirs")));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
