// The syntax of GitHub, and what is displayed for it (docs/spec/markdown.md).
import { describe, expect, it } from "vitest";
import { dom, html } from "../testing";

const CASES: readonly [construct: string, source: string, expected: string][] = [
  ["strikethrough", "~~a~~", "<p><s>a</s></p>"],
  ["one tilde, which writes a subscript here", "H~2~O", "<p>H<sub>2</sub>O</p>"],
  ["bare address", "https://example.org/a", '<p><a href="https://example.org/a" rel="noopener noreferrer" data-external="">https://example.org/a</a></p>'],
  ["table", "|a|b|\n|-|:-:|\n|c|d|", '<div class="table-scroll"><table><thead><tr><th>a</th><th class="align-center">b</th></tr></thead><tbody><tr><td>c</td><td class="align-center">d</td></tr></tbody></table></div>'],
  ["formula block", "$$\na\n$$", '<div class="math math-display">a</div>'],
  ["emoji by name", ":tada:", "<p>:tada:</p>"],
  ["mention", "@someone #12", "<p>@someone #12</p>"],
  ["closed section", "<details><summary>a</summary>\n\nb\n\n</details>", "<details><summary>a</summary><p>b</p></details>"],
  ["superscript by HTML", "x<sup>2</sup>", "<p>x<sup>2</sup></p>"],
  ["keys", "<kbd>Ctrl</kbd>", "<p><kbd>Ctrl</kbd></p>"],
];

describe("GitHub", () => {
  it.each(CASES)("%s", (_construct, source, expected) => {
    expect(html(source).replace(/\n/g, "")).toBe(expected);
  });

  it.each(["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"])("alert %s", (kind) => {
    const alert = dom(`> [!${kind}]\n> a`).querySelector(`.callout-${kind.toLowerCase()}`);
    expect(alert?.textContent.trim().replace(/\s+/g, " ")).toBe(`title of ${kind.toLowerCase()} a`);
  });

  it("tasks", () => {
    expect(dom("- [x] a\n- [ ] b").querySelectorAll("li.task > .task-box")).toHaveLength(2);
  });

  it("footnotes", () => {
    expect(dom("a[^n]\n\n[^n]: b").querySelector(".footnote-item")?.textContent).toContain("b");
  });

  it("diagrams", () => {
    expect(dom("```mermaid\ngraph TD\n```").querySelector(".diagram > pre")).not.toBeNull();
  });
});
