import { describe, expect, it, vi } from "vitest";
import { usesIn } from "../links/asset-uses";
import { DEEPEST, MAX_COLUMNS, MAX_MENTIONS, MAX_NOTES, SPARE_CELLS } from "./bounds";
import { pageEnv } from "./context";
import { detectLanguage } from "../language";
import { boundNesting } from "./nesting";
import { PageRenderer } from "./page-renderer";
import { createParser } from "./parser";
import * as cleaning from "../sanitizing/sanitize";
import { draw, runStage } from "./stages";
import { dom, WORDS } from "../testing";

const SIZE = 65_536;

/** Concatenates the results of `make` for the numbers below `count`. */
function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join("");
}

function of(size: number, piece: string): string {
  return piece.repeat(Math.ceil(size / piece.length));
}

/** Runs of a character, of increasing length. */
function growing(char: string): string {
  return times(360, (index) => `${char.repeat(index + 3)} `);
}

function parsed(source: string): string {
  const env = pageEnv("/p", WORDS);
  return draw(runStage("all", source, env).tokens, env);
}

/** Disables cleaning, which takes nearly all of the time, in tests that do not depend on it. */
function leaveUncleaned(): void {
  vi.spyOn(cleaning, "sanitize").mockImplementation((html) => html);
  vi.spyOn(cleaning, "sanitizeAll").mockImplementation((blocks) => [...blocks]);
}

function depthOf(element: Element): number {
  return 1 + Math.max(0, ...[...element.children].map(depthOf));
}

describe("a table", () => {
  const table = (columns: number, rows = "") => `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${rows}`;

  it("shows its first columns, reporting their number", () => {
    const page = dom(table(MAX_COLUMNS + 3, table(MAX_COLUMNS + 3).split("\n", 1).join("")));
    expect(page.querySelectorAll("th")).toHaveLength(MAX_COLUMNS);
    expect(page.querySelectorAll("td")).toHaveLength(MAX_COLUMNS);
    expect(page.querySelector(".left-out")?.textContent).toBe("left out: columns");
  });

  it("shows all columns up to the limit", () => {
    const page = dom(table(MAX_COLUMNS));
    expect(page.querySelectorAll("th")).toHaveLength(MAX_COLUMNS);
    expect(page.querySelector(".left-out")).toBeNull();
  });

  it("completes rows while cells are left", () => {
    const wide = table(MAX_COLUMNS, "|b\n".repeat(SPARE_CELLS / (MAX_COLUMNS - 1) + 10));
    const tokens = runStage("blocks", `${wide}\n${table(3, "|c\n")}`, pageEnv("/p", WORDS)).tokens;
    const cells = tokens.filter(({ type }) => type === "td_open").length;
    expect(cells).toBeGreaterThan(SPARE_CELLS);
    // The written cells, and at most one more for each of the 111 rows.
    expect(cells).toBeLessThanOrEqual(SPARE_CELLS + 2 * 111);
  });

  it("is completed again without the wide one above", () => {
    leaveUncleaned();
    const wide = table(MAX_COLUMNS, "|b\n".repeat(SPARE_CELLS / (MAX_COLUMNS - 1) + 10));
    const [narrow, renderer] = [table(3, "|c\n"), new PageRenderer("/p", WORDS)];
    renderer.render(`${wide}\n${narrow}`);
    expect(renderer.render(narrow)).toEqual(new PageRenderer("/p", WORDS).render(narrow));
  });
});

describe("footnotes", () => {
  const page = times(MAX_NOTES + 2, (index) => `[^${index}] `) + "\n\n" + times(MAX_NOTES + 2, (index) => `[^${index}]: n\n`);

  it("are limited, and their number is reported", () => {
    const html = parsed(page);
    expect(html.match(/class="footnote-item"/g)).toHaveLength(MAX_NOTES);
    expect(html).toContain(`[^${MAX_NOTES}] [^${MAX_NOTES + 1}]`);
    expect(html).toContain('<p class="left-out">left out: notes</p>');
  });

  it("are linked from limited mentions, as reported", () => {
    const html = parsed(`[^a]: x\n\n${"[^a] ".repeat(MAX_MENTIONS + 2)}`);
    expect(html.match(/class="footnote-ref"/g)).toHaveLength(MAX_MENTIONS);
    expect(html.match(/class="footnote-backref"/g)).toHaveLength(MAX_MENTIONS);
    expect(html).toContain("[^a] [^a]");
    expect(html).toContain('<p class="left-out">left out: mentions</p>');
  });

  it("are linked from the same mentions in previews", () => {
    leaveUncleaned();
    const renderer = new PageRenderer("/p", WORDS);
    const source = (before: string) => `[^a]: x\n\n${before}\n\n${"[^a] ".repeat(MAX_MENTIONS)}`;
    renderer.render(source("x"));
    expect(renderer.render(source("[^a]")).blocks).toEqual(new PageRenderer("/p", WORDS).render(source("[^a]")).blocks);
    expect(renderer.render(source("x")).blocks).toEqual(new PageRenderer("/p", WORDS).render(source("x")).blocks);
  });

  it("are mentioned again when they are fewer", () => {
    leaveUncleaned();
    const renderer = new PageRenderer("/p", WORDS);
    const fewer = page.replace("[^0] ", "").replace("[^1] ", "");
    renderer.render(`${page}\n\nx [^${MAX_NOTES}]`);
    const again = renderer.render(`${fewer}\n\nx [^${MAX_NOTES}]`).blocks.map(({ html }) => html).join("");
    expect(again).not.toContain("left out");
  });

  it("keep the text around nested notes", () => {
    expect(dom("[^a] [^b]\n\n[^a]: one\n\n    [^b]: two\n\n    three").textContent).toMatch(/one[^]*three[^]*two/);
  });
});

describe("nested elements", () => {
  it.each(["b", "div", "span", "blockquote", "details", "ruby", "ul"])("<%s> are omitted where too deep, and reported", (name) => {
    const page = dom(`${`<${name}>`.repeat(600)}words`);
    expect(depthOf(page)).toBeLessThanOrEqual(DEEPEST + 3);
    expect(page.textContent).toContain("words");
    expect(page.querySelector(".left-out")?.textContent).toBe("left out: nesting");
  });

  it("are left out of deep Markdown, too", () => {
    const page = dom(`${"*a **b ".repeat(300)}${"b** a* ".repeat(300)}`);
    expect(depthOf(page)).toBeLessThanOrEqual(DEEPEST + 3);
  });

  it.each([
    ["pairs", "<b>x</b>".repeat(500)],
    ["items without ends", `<ul>${"<li>x".repeat(500)}</ul>`],
    ["paragraphs without ends", "<p>x".repeat(500)],
    ["cells without ends", `<table>${"<tr><td>x<td>y".repeat(500)}</table>`],
    ["terms without ends", `<dl>${"<dt>x<dd>y".repeat(500)}</dl>`],
    ["anchors without ends", "<a id=x>x".repeat(500)],
    ["breaks", "<br>".repeat(500)],
    ["ends alone", "</b>".repeat(500)],
    ["comments", "<!-- <b> -->".repeat(500)],
    ["values", `<p title="${"<b>".repeat(500)}">x</p>`],
  ])("%s are not nested", (_, html) => {
    expect(boundNesting(html)).toEqual({ html, isCut: false });
  });

  it("that end in another order are not repeated", () => {
    const page = document.createElement("div");
    page.innerHTML = boundNesting(`<p>${times(90, (index) => `<b id="${index}">`)}</p>${"<p>x</p>".repeat(500)}`).html;
    expect(page.querySelectorAll("b").length).toBeLessThan(2_000);
    expect(page.querySelectorAll("p")).toHaveLength(501);
  });

  it("end at their own end tags", () => {
    const { html } = boundNesting(`${"<div>".repeat(DEEPEST + 50)}${"</div>".repeat(DEEPEST + 50)}<p>x</p>`);
    expect(html).toBe(`${"<div>".repeat(DEEPEST)}${"</div>".repeat(DEEPEST)}<p>x</p>`);
  });
});

/** Parsing these once took quadratic time: each would exceed a test's time limit. */
describe("a long text is parsed in one go:", () => {
  it.each([
    ["[[", 4], ["[[/a", 4], ["[", 3], ["[^", 2], ["^[a] ", 3], ["# a\n", 1], ["#\n", 1], ["a <? ", 16], ["<div\n", 16],
  ])("%j", (piece, sizes) => {
    expect(parsed(`[^a]: x\n\n${of(sizes * SIZE, piece)}`).length).toBeGreaterThan(sizes * SIZE);
  });

  it.each([
    ["links in links", `${of(SIZE, "[")}${of(5 * SIZE, "](a)")}`],
    ["mentions", times(30_000, (index) => `[^${index}] `) + "\n\n" + times(30_000, (index) => `[^${index}]: n\n`)],
    ["an address with many brackets", `http://a/${of(4 * SIZE, "(")}x${of(4 * SIZE, ")")}`],
  ])("%s", (_, source) => {
    expect(parsed(source).length).toBeGreaterThan(SIZE);
  });
});

/** Each bracket once cost fifty steps, or as many as there were brackets around it. */
it.each([
  ["pictures", of(SIZE, "![")],
  ["links", of(SIZE, "[")],
  ["notes", of(SIZE, "^[a ")],
  ["pictures before one end", `${of(SIZE, "![")}]`],
  ["closed pictures", `${of(SIZE, "![")}${of(SIZE, "]")}`],
  ["groups of links", of(SIZE, `${"[".repeat(60)}${"]".repeat(60)}`)],
])("brackets of %s are read once", (_, source) => {
  const md = createParser();
  const skip = vi.spyOn(md.inline, "skipToken");
  md.parse(`[a]: b\n\n${source}`, pageEnv("/p", WORDS));
  expect(skip.mock.calls.length).toBeLessThan(3 * source.length);
});

it.each(["<", "](", "`a\n", "<a "])("the language of %j repeated is judged once", (piece) => {
  expect(detectLanguage(of(20 * SIZE, piece))).not.toBe("ja");
});

it("parses files beside growing backtick runs once", () => {
  const source = `x ${growing("`")}\n![](asset:a.png) \`![](asset:b.png)\``;
  expect(Object.fromEntries(usesIn(source, "/p"))).toEqual({ "a.png": 1 });
  expect(usesIn(`x ${growing("`")}${growing("`")}![](asset:a.png)`, "/p").get("a.png")).toBe(1);
});
