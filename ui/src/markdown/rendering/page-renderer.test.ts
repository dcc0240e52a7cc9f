import { describe, expect, it, vi } from "vitest";
import * as cleaning from "../sanitizing/sanitize";
import { Cleaner } from "../sanitizing/cleaner";
import { beginPage, PageRenderer, renderPage } from "./page-renderer";
import { type RenderedText, renderText } from "./render";
import * as stages from "./stages";
import { WORDS } from "../testing";

const PATH = "/旅/京都";

function whole(source: string): RenderedText {
  return renderText(source, new Cleaner(PATH, WORDS));
}

/** Renders `source` with a renderer that has rendered `before`. */
function after(before: string, source: string): RenderedText {
  const renderer = new PageRenderer(PATH, WORDS);
  renderer.render(before);
  return renderer.render(source);
}

it("parses and cleans only what has changed", () => {
  const clean = vi.spyOn(cleaning, "sanitizeAll");
  const renderer = new PageRenderer(PATH, WORDS);
  renderer.render("# a\n\nb\n\nc");
  clean.mockClear();
  expect(renderer.render("# a\n\nb!\n\nc")).toEqual(whole("# a\n\nb!\n\nc"));
  expect(clean.mock.calls.map(([blocks]) => blocks)[0]).toEqual(["<p>b!</p>"]);
});

describe("an unchanged piece is rendered again when", () => {
  it.each([
    ["a definition elsewhere changes", "[a][r]\n\n[r]: /b", "[a][r]\n\n[r]: /c"],
    ["a definition comes", "[a]\n\nb", "[a]\n\nb\n\n[a]: /c"],
    ["a definition goes", "[a]\n\n[a]: /c", "[a]\n\nc"],
    ["its anchor is taken", "b\n\n# a", "# a\n\n# a"],
    ["its anchor is free", "# a\n\n# a", "# b\n\n# a"],
    ["one of its anchors is taken", "x\n\n> # a\n> # b", "# b\n\n> # a\n> # b"],
    ["a task comes before it", "b\n\n- [ ] a", "- [ ] b\n\nc\n\n- [ ] a"],
    ["a footnote is mentioned before it", "b\n\na[^1] c[^2]\n\n[^1]: x\n[^2]: y", "b[^2]\n\na[^1] c[^2]\n\n[^1]: x\n[^2]: y"],
    ["its footnote is mentioned before it", "b\n\na[^1] c[^1]\n\n[^1]: x", "b[^1]\n\na[^1] c[^1]\n\n[^1]: x"],
    ["a footnote stands before it in the line", "b\n\na[^1]\n\n[^1]: x", "b^[y]\n\na[^1]\n\n[^1]: x"],
    ["its footnote is defined", "a[^1]\n\nb", "a[^1]\n\n[^1]: b"],
    ["its footnote is defined no more", "a[^1]\n\n[^1]: b", "a[^1]\n\nb"],
    ["it comes to stand at the beginning", "a\n\n---\nb: c\n---\n", "---\nb: c\n---\n"],
    ["it comes to stand elsewhere", "---\nb: c\n---\n", "a\n\n---\nb: c\n---\n"],
    ["a footnote is defined within something else", "a[^1]\n\n> b", "a[^1]\n\n> [^1]: b"],
  ])("%s", (_, before, source) => {
    expect(after(before, source)).toEqual(whole(source));
  });
});

/** Typical lines of pages, and lines that break constructs apart. */
const LINES = [
  "", "", "", "", "word", "言葉", "[a]", "[a][r]", "[r]: /b", "[a]: </c d> \"t\"", "# a", "# a", "## b [a]", "a\n===", "---", "- a", "- [ ] b",
  "- [x] c [^1]", "  - d", "    e", "1. f", "2) g", "> h", "> - [ ] i", "> # a", "> [^2]: j", "[^1]", "[^2] [^1] ![k [^1]](asset:l)", "[^1]: m",
  "[^2]: n [^3]", "[^3]: o\n\n    # a\n\n    - [ ] p", "^[q [^1]]", "^[r [a]]", "```", "```rust", "~~~", "$$", "$$ s $$", "$t$ u", "| v | w |",
  "| --- | :-: |", "| [^1] | [a] |", "<div>", "</div>", "<!-- x", "-->", "<details><summary>", "y <b>z", "<br>", "</b>", "***", "\\", "`aa", "**bb",
  "https://example.org/cc", "[[/dd|ee]]", "[[/ff\\|gg]]", "\t- hh", "&amp; \\[a]", "![](asset:ii.png)", "<frameset>", "\u0000", "\r", "[a]: x\n\"jj",
];

function sourceOf(below: (count: number) => number, lines: number): string[] {
  return Array.from({ length: lines }, () => LINES[below(LINES.length)] ?? "");
}

function randomness(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48271) % 2147483647) % below;
}

it("a changed page renders like a new one", () => {
  // Cleaning is the same for both, and takes nearly all of the time.
  vi.spyOn(cleaning, "sanitize").mockImplementation((html) => html);
  vi.spyOn(cleaning, "sanitizeAll").mockImplementation((blocks) => [...blocks]);
  for (let seed = 1; seed <= 100; seed++) {
    const below = randomness(seed * 7919);
    const line = () => LINES[below(LINES.length)] ?? "";
    const lines = sourceOf(below, 4 + below(30));
    const renderer = new PageRenderer(PATH, WORDS);
    for (let change = 0; change < 40; change++) {
      const source = lines.join("\n");
      expect(renderer.render(source), JSON.stringify(source)).toEqual(whole(source));
      const at = below(lines.length + 1);
      // Inserts, removes, moves or edits lines, one letter at a time.
      const kind = below(4);
      if (kind === 0) lines.splice(at, 0, line());
      else if (kind === 1) lines.splice(at, 1 + below(3));
      else if (kind === 2) lines.splice(at, 0, ...lines.splice(below(lines.length + 1), 1 + below(4)));
      else lines.splice(at, 1, `${lines[at] ?? ""}${"ab [#-|>`$^:\n"[below(13)] ?? ""}`);
    }
  }
});

it("renderInTurn starts with blocks of the whole page", () => {
  vi.spyOn(cleaning, "sanitize").mockImplementation((html) => html);
  vi.spyOn(cleaning, "sanitizeAll").mockImplementation((blocks) => [...blocks]);
  let count = 0;
  for (let seed = 1; seed <= 500; seed++) {
    const below = randomness(seed * 7919);
    const source = sourceOf(below, 4 + below(60)).join("\n");
    const expected = whole(source);
    const parts = new PageRenderer(PATH, WORDS).renderInTurn(source, below(300));
    const first = parts.next();
    if (!first.done) {
      count += 1;
      const { blocks, outline, tasks } = first.value;
      expect(blocks, JSON.stringify(source)).toEqual(expected.blocks.slice(0, blocks.length));
      expect(outline).toEqual(expected.outline.slice(0, outline.length));
      expect(tasks).toEqual(expected.tasks.slice(0, tasks.length));
    }
    expect((first.done ? first : parts.next()).value, JSON.stringify(source)).toEqual(expected);
  }
  expect(count).toBeGreaterThan(250);
});

it("beginPage starts with blocks of the whole page", () => {
  vi.spyOn(cleaning, "sanitize").mockImplementation((html) => html);
  vi.spyOn(cleaning, "sanitizeAll").mockImplementation((blocks) => [...blocks]);
  let count = 0;
  for (let seed = 1; seed <= 1_000; seed++) {
    const below = randomness(seed * 104_729);
    const parts = sourceOf(below, 20 + below(60)).map((line) => (below(3) === 0 ? `${line}\n` : line));
    // A definition anywhere makes the page parse at once.
    const source = parts.join("\n").replaceAll(/\]:|\^\[/g, "]");
    const blocksFound = vi.spyOn(stages, "runStage");
    const { rest, language, ...first } = beginPage(source, PATH, WORDS, 1 + below(30));
    const parsed = blocksFound.mock.calls.find(([stage]) => stage === "blocks")?.[1] ?? "";
    blocksFound.mockRestore();
    if (parsed.length < source.length && rest !== null) count += 1;
    const expected = renderPage(source, PATH, WORDS);
    expect(first.blocks, JSON.stringify(source)).toEqual(expected.blocks.slice(0, first.blocks.length));
    expect(first.outline).toEqual(expected.outline.slice(0, first.outline.length));
    expect(first.tasks).toEqual(expected.tasks.slice(0, first.tasks.length));
    expect(language).toBe(expected.language);
    expect(rest?.() ?? { ...first, language }).toEqual(expected);
  }
  expect(count).toBeGreaterThan(300);
});

it("only long pages start with a screenful", () => {
  const words = "Some words, and *more* of them. ".repeat(20);
  const long = Array.from({ length: 100 }, (_, index) => `## ${index}\n\n${words}`).join("\n\n");
  const { rest, ...begun } = beginPage(long, PATH, WORDS, 1_000);
  const all = renderPage(long, PATH, WORDS);
  expect(begun.blocks.map(({ html }) => html).join("").length).toBeGreaterThanOrEqual(10_000);
  expect(begun.blocks.length).toBeLessThan(all.blocks.length / 2);
  expect(rest?.()).toEqual(all);
  expect(beginPage(words, PATH, WORDS, 1_000)).toEqual({ ...renderPage(words, PATH, WORDS), rest: null });
});
