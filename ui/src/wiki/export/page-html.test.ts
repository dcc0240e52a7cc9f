import { afterEach, expect, it, vi } from "vitest";
import { pageHtml, stylesOf } from "./page-html";

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = "";
});

async function saved(html: string): Promise<Document> {
  history.replaceState(null, "", "/wiki/travel/kyoto");
  const article = document.createElement("article");
  article.className = "reading";
  article.innerHTML = html;
  return new DOMParser().parseFromString(await pageHtml(article, { title: "京都 & <me>", language: "ja" }), "text/html");
}

it("the file states its title and language", async () => {
  const file = await saved("<h1>京都</h1>");
  expect([file.title, file.documentElement.lang, file.characterSet, file.querySelector("h1")?.textContent]).toEqual(["京都 & <me>", "ja", "UTF-8", "京都"]);
});

it("pictures are inside, missing ones described", async () => {
  const answer = (url: string) => Promise.resolve({ ok: url.endsWith("deer.png"), blob: () => Promise.resolve(new Blob(["deer"], { type: "image/png" })) });
  vi.stubGlobal("fetch", vi.fn(answer));
  const file = await saved('<p><img src="/api/deer.png" alt="Deer" srcset="/api/deer2.png 2x"> <img src="/api/gone.png" alt="Gone"></p>');
  const pictures = [...file.querySelectorAll("img")];
  expect(pictures.map(({ outerHTML }) => outerHTML)).toEqual([`<img src="data:image/png;base64,${btoa("deer")}" alt="Deer">`]);
  expect(file.querySelector("p")?.textContent).toBe(" Gone");
});

it("only links that work in a file stay", async () => {
  const file = await saved('<a href="/wiki/other">a</a><a href="#here">b</a><a href="https://example.org/">c</a><a href="/wiki/travel/kyoto#there">d</a><a class="anchor" href="#x">#</a>');
  expect([...file.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([null, "#here", "https://example.org/", "#there"]);
});

it("folded parts are open, tools are gone", async () => {
  const file = await saved('<details><summary>More</summary>text</details><input type="checkbox"><button>Copy</button>');
  expect([file.querySelector("details")?.open, file.querySelector("input")?.disabled, file.querySelector("button")]).toEqual([true, true, null]);
});

it("pictures of styles are inside, too", async () => {
  vi.stubGlobal("fetch", vi.fn((url: string) => Promise.resolve({ ok: url.endsWith("/check.svg"), blob: () => Promise.resolve(new Blob(["tick"], { type: "image/svg+xml" })) })));
  const style = document.createElement("style");
  style.textContent = ".reading .task-box { mask: url('/static/check.svg') center } .reading .gone { mask: url('/gone.svg') }";
  document.head.append(style);
  const styles = (await saved("<p>a</p>")).querySelector("style")?.textContent;
  expect(styles).toContain(`url("data:image/svg+xml;base64,${btoa("tick")}")`);
  expect(styles).not.toContain("check.svg");
});

it("styles are those of the text", () => {
  const style = document.createElement("style");
  style.textContent = ".shell { color: red } .reading h1 { color: green } @media print { .reading p { margin: 0 } .frame { margin: 1px } } :root { --ink: black }";
  document.head.append(style);
  const styles = stylesOf([...document.styleSheets]);
  expect(styles).toContain(".reading h1");
  expect(styles).toContain("--ink");
  expect(styles).toMatch(/@media print\s*\{[^}]*\.reading p/);
  expect(styles).not.toMatch(/shell|frame/);
});
