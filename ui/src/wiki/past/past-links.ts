// Links and pictures in the text of a page as of a moment: they stay in that moment.
import { pastUrl, trustedHtml } from "../../markdown";

const FILE = "/api/asset?path=";

/** The clean HTML of a block, with the addresses of pages and files as of a moment. */
export function withPastLinks(html: string, at: string): string {
  if (!html.includes(FILE) && !html.includes("data-wiki-path")) return html;
  // The contents of a template load nothing.
  const template = document.createElement("template");
  template.innerHTML = trustedHtml(html);
  for (const element of template.content.querySelectorAll<HTMLElement>("[src], [href]")) makePast(element, at);
  return template.innerHTML;
}

/** Changes the addresses of an element. */
export function makePast(element: HTMLElement, at: string): void {
  for (const attribute of ["src", "href"]) {
    const address = element.getAttribute(attribute);
    if (address?.startsWith(FILE) === true) element.setAttribute(attribute, `${address}&at=${encodeURIComponent(at)}`);
  }
  const { wikiPath } = element.dataset;
  const href = element.getAttribute("href");
  if (wikiPath !== undefined && href !== null) {
    element.setAttribute("href", pastUrl(wikiPath, at, /[?#].*$/s.exec(href)?.[0] ?? ""));
  }
}

/** Puts words in place of each picture that can't be shown: it was replaced, renamed or deleted since. */
export function nameMissingPictures(article: HTMLElement, words: () => string): void {
  article.addEventListener(
    "error",
    ({ target: picture }) => {
      if (!(picture instanceof HTMLImageElement) || picture.getAttribute("src")?.startsWith(FILE) !== true) return;
      const box = document.createElement("span");
      box.className = "picture-outside";
      const part = (name: "span" | "b" | "code", text: string) => Object.assign(document.createElement(name), { textContent: text });
      const file = new URL(picture.src, location.href).searchParams.get("file") ?? "";
      box.append(part("span", words()), part("b", picture.alt), part("code", file));
      picture.replaceWith(box);
    },
    true,
  );
}
