import { beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { dom } from "../testing";
import { LiveRenderer } from "./live-renderer";
import type { DiagramPainter } from "./diagrams/diagram-painter";

const mermaid = vi.hoisted(() => ({ initialize: vi.fn<DiagramPainter["initialize"]>(), render: vi.fn<DiagramPainter["render"]>(), parse: (svg: string) => new DOMParser().parseFromString(svg, "text/html").querySelector("svg") }));
vi.mock("./diagrams/diagram-stage", () => ({ openStage: () => Promise.resolve(mermaid) }));

const WORDS = {
  diagram: "Diagram",
  diagramFailed: (reason: string) => `No diagram: ${reason}`,
  diagramTooLarge: () => "Too large",
  mathFailed: (reason: string) => `No formula: ${reason}`,
};

let aborting: AbortController;

beforeEach(() => {
  document.body.replaceChildren();
  delete document.documentElement.dataset["theme"];
  URL.createObjectURL = () => "blob:diagram";
  URL.revokeObjectURL = () => {};
  mermaid.render.mockReset();
  mermaid.render.mockResolvedValue({
    svg: '<svg viewBox="0 0 120.5 60"><script>alert(1)</script><text>a<br>b</text></svg>',
  });
  aborting = new AbortController();
  return () => aborting.abort();
});

async function activate(source: string): Promise<HTMLElement> {
  const page = dom(source);
  document.body.append(page);
  await new LiveRenderer(() => WORDS, aborting.signal, new FakeBackend()).activate(page);
  return page;
}

it.each([
  ["rust", "let a = 1; // <b>", "keyword"],
  ["TypeScript", "const a = '<i>';", "string"],
  ["dockerfile", "FROM scratch", "keyword"],
  ["hs", "module Main where", "keyword"],
])("highlights code in %s, and keeps its text", async (language, text, token) => {
  const page = await activate(`\`\`\`${language}\n${text}\n\`\`\``);
  expect(page.querySelector(`pre > code .hljs-${token}`)).not.toBeNull();
  expect(page.querySelector("code")?.textContent).toBe(`${text}\n`);
  expect(page.querySelector("code b, code i")).toBeNull();
});

it.each(["nonsense", "constructor", "__proto__"])("code in the language %s stays unchanged", async (language) => {
  const page = await activate(`\`\`\`${language}\n<b>\n\`\`\``);
  expect(page.querySelector("code")?.innerHTML).toBe("&lt;b&gt;\n");
});

it("formulas are set inline and as blocks", async () => {
  const page = await activate("$a^2$\n\n$$\nb\n$$");
  expect(page.querySelectorAll(".math .katex")).toHaveLength(2);
  expect(page.querySelectorAll(".katex-display")).toHaveLength(1);
  expect(page.querySelector("math annotation")?.textContent).toBe("a^2");
});

it("an invalid formula stays TeX, with the error", async () => {
  const page = await activate("$\\frac{a$");
  const formula = page.querySelector<HTMLElement>(".math");
  expect(formula?.textContent).toBe("\\frac{a");
  expect(formula?.title).toContain("No formula:");
});

it.each([
  "$\\href{javascript:alert(1)}{x}$",
  "$\\includegraphics{https://example.org/x.png}$",
  "$\\htmlStyle{position:fixed}{x}$",
  "$\\htmlData{testid=x}{y}$",
])("%s adds no link, picture or style", async (source) => {
  const page = await activate(source);
  expect(page.querySelector("a, img, [style*=fixed], [data-testid]")).toBeNull();
});

it("an endlessly expanding formula is stopped", async () => {
  const page = await activate("$\\def\\a{\\a\\a}\\a$");
  expect(page.querySelector<HTMLElement>(".math")?.dataset["live"]).toBe("failed");
});

it("a diagram's picture has its source as description", async () => {
  const page = await activate("```mermaid\ngraph TD; a-->b\n```");
  const picture = page.querySelector("img");
  expect([picture?.getAttribute("src"), picture?.width, picture?.height, picture?.alt]).toEqual(["blob:diagram", 121, 60, "Diagram"]);
  expect(page.querySelector("pre.visually-hidden")?.textContent).toContain("a-->b");
  expect(page.querySelector("svg, script")).toBeNull();
});

it("a diagram is rendered strictly despite its page", async () => {
  await activate("```mermaid\n%%{init: {'securityLevel': 'loose'}}%%\ngraph TD; strictly-->drawn\n```");
  expect(mermaid.initialize).toHaveBeenCalledWith(expect.objectContaining({ securityLevel: "strict", startOnLoad: false, htmlLabels: false }));
  expect(mermaid.initialize.mock.lastCall?.[0].secure).toEqual(expect.arrayContaining(["secure", "securityLevel", "themeCSS"]));
});

it("diagrams follow the theme", async () => {
  const page = await activate("```mermaid\ngraph TD; c-->d\n```");
  expect(mermaid.render).toHaveBeenCalledTimes(1);
  document.documentElement.dataset["theme"] = "dark";
  await vi.waitFor(() => expect(mermaid.render).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(page.querySelectorAll("img")).toHaveLength(1));
});

it("a scrollable diagram is reached by keys", async () => {
  const wide = vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(9_999);
  const page = await activate("```mermaid\ngraph TD; i-->j\n```");
  const box = page.querySelector<HTMLElement>(".diagram");
  await vi.waitFor(() => expect(box?.tabIndex).toBe(0));
  wide.mockRestore();
});

it("keeps diagrams large enough to read", async () => {
  const page = await activate("```mermaid\ngraph TD; g-->h\n```");
  const picture = page.querySelector("img");
  expect(picture?.width).toBeGreaterThan(0);
  expect(parseFloat(picture?.style.minWidth ?? "")).toBeCloseTo((picture?.width ?? 0) * 0.75, 0);
});

it("finished elements are not processed again", async () => {
  const page = await activate("```rust\nlet a;\n```\n\n$a$\n\n```mermaid\ngraph TD; e-->f\n```");
  const before = page.innerHTML;
  await new LiveRenderer(() => WORDS, aborting.signal, new FakeBackend()).activate(page);
  expect(page.innerHTML).toBe(before);
  expect(mermaid.render).toHaveBeenCalledTimes(1);
});
