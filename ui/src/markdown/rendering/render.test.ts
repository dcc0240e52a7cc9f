import { describe, expect, it } from "vitest";
import { renderPage } from "./page-renderer";
import { dom, html, WORDS } from "../testing";

const blocksOf = (source: string) => renderPage(source, "/p", WORDS).blocks;

describe("blocks", () => {
  it("have line numbers", () => {
    const blocks = blocksOf("# a\n\nb\nc\n\n- d\n- e\n\n```\nf\n\ng\n```\n");
    expect(blocks.map(({ line, end }) => [line, end])).toEqual([[0, 1], [2, 4], [5, 8], [8, 13]]);
  });

  it("keep raw HTML together until it is closed", () => {
    const blocks = blocksOf("<details>\n<summary>s</summary>\n\n*a*\n\n</details>\n\nb");
    expect(blocks).toHaveLength(2);
    expect(blocks[0]?.html).toMatch(/<details>[\s\S]*<em>a<\/em>[\s\S]*<\/details>/);
  });

  it("contain elements that are never closed", () => {
    expect(blocksOf("<div>\n\na\n\nb")).toHaveLength(1);
  });

  it("are not confused by void elements and comments", () => {
    expect(blocksOf("<br>\n\n<!-- <div> -->\n\n<hr/>\n\na")).toHaveLength(4);
  });

  it("give footnotes a block at the end", () => {
    const blocks = blocksOf("a[^1]\n\n[^1]: b\n\nc");
    expect(blocks.at(-1)?.html).toContain("footnotes");
    expect(blocks.at(-1)?.line).toBeGreaterThanOrEqual(4);
  });
});

it("contain open elements of raw HTML", () => {
  const [first, second] = blocksOf("a <b>b\n\nc");
  expect(first?.html).toBe("<p>a <b>b</b></p>");
  expect(second?.html).toBe("<p>c</p>");
});

describe("the dialect", () => {
  it.each([
    ["**「庭」**を", "<p><strong>「庭」</strong>を</p>"],
    ["```rust\nlet a = 1;\n```", '<code class="language-rust">'],
    ["(c) -- ...", "<p>(c) -- ...</p>"],
  ])("%s", (source, part) => {
    expect(html(source)).toContain(part);
  });

  it("has links from footnotes back to their references", () => {
    const page = dom("a[^1]\n\n[^1]: b");
    expect(page.querySelector(".footnote-ref a")?.getAttribute("href")).toBe("#fn1");
    expect(page.querySelector("a.footnote-backref")?.getAttribute("href")).toBe("#fnref1");
    for (const id of ["fn1", "fnref1"]) expect(page.querySelector(`[id='user-content-${id}']`)).not.toBeNull();
  });
});
