import { expect, it } from "vitest";
import { renderPage } from "../../rendering/page-renderer";
import { dom, WORDS } from "../../testing";

it("anchors headings in every script, numbering repetitions", () => {
  const ids = [...dom("# 秋の庭\n## 光\n## 光\n### A *b* `c`").querySelectorAll("h1,h2,h3")].map((heading) => heading.id);
  expect(ids).toEqual(["user-content-秋の庭", "user-content-光", "user-content-光-2", "user-content-a-b-c"]);
});

it("lists the outline with plain words and lines", () => {
  const { outline } = renderPage("# A **b** [c](/d)\n\ntext\n\n## ![e](asset:e.png)", "/p", WORDS);
  expect(outline).toEqual([
    { level: 1, text: "A b c", slug: "a-b-c", line: 0 },
    { level: 2, text: "e", slug: "e", line: 4 },
  ]);
});

it("starts numbering again in every run", () => {
  const once = () => renderPage("# A\n# A", "/p", WORDS).outline.map((entry) => entry.slug);
  expect(once()).toEqual(once());
});

it("hides the self-link from keys and screen readers", () => {
  const anchor = dom("# 光").querySelector("a.anchor");
  expect(anchor?.getAttribute("href")).toBe("#%E5%85%89");
  expect(anchor?.getAttribute("aria-hidden")).toBe("true");
  expect(anchor?.getAttribute("tabindex")).toBe("-1");
});
