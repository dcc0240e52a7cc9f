import { expect, it, vi } from "vitest";
import { StubHost } from "../../testing/stub-host";
import { addCopyButtons } from "./code-copies";

function articleOf(html: string): HTMLElement {
  const article = document.createElement("article");
  article.innerHTML = html;
  document.body.append(article);
  return article;
}

const buttons = (article: HTMLElement) => [...article.querySelectorAll<HTMLButtonElement>("button")];

it("copies the code, and says so", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  const host = new StubHost();
  const article = articleOf("<pre><code>let a;\n</code></pre>");
  addCopyButtons(article, host);
  addCopyButtons(article, host);
  const [button, ...others] = buttons(article);
  expect(others).toEqual([]);
  expect(button?.getAttribute("aria-label")).toBe("Copy code");
  button?.click();
  await vi.waitFor(() => expect(button?.getAttribute("aria-label")).toBe("Copied"));
  expect(writeText).toHaveBeenCalledWith("let a;");
  expect(host.toasts).toEqual(["Copied"]);
  expect(article.textContent).toBe("let a;\n");
});

it("selects the code where copying is denied", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("denied")) } });
  const host = new StubHost();
  const article = articleOf("<pre><code>let a;</code></pre>");
  addCopyButtons(article, host);
  buttons(article)[0]?.click();
  await vi.waitFor(() => expect(host.toasts).toHaveLength(1));
  expect(getSelection()?.toString()).toBe("let a;");
});

it("diagrams and galleries have none", () => {
  const article = articleOf('<div class="diagram"><pre><code>a</code></pre></div><div class="gallery"><pre><code>b</code></pre></div>');
  addCopyButtons(article, new StubHost());
  expect(buttons(article)).toEqual([]);
});
