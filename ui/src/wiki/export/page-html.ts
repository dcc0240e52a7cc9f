// A page as one HTML file: its text as it is shown, with pictures and styles inside. It needs no server and no network.

/** What the file shows beside the article. */
export interface PageFacts {
  title: string;
  /** The page's language, or the one of the interface. */
  language: string;
}

/** Parts that only work in the program. */
const TOOLS = "button, .anchor, [hidden], iframe, script";

export async function pageHtml(article: HTMLElement, { title, language }: PageFacts): Promise<string> {
  const copy = article.cloneNode(true) as HTMLElement;
  await embedPictures(article, copy);
  for (const tool of copy.querySelectorAll(TOOLS)) tool.remove();
  // The formula in MathML needs no fonts.
  for (const drawn of copy.querySelectorAll(".katex-html")) drawn.remove();
  for (const box of copy.querySelectorAll("input")) box.disabled = true;
  for (const details of copy.querySelectorAll("details")) details.open = true;
  for (const link of copy.querySelectorAll("a")) detach(link);
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = language;
  page.documentElement.dataset["theme"] = "light";
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  const viewport = page.createElement("meta");
  viewport.name = "viewport";
  viewport.content = "width=device-width";
  const style = page.createElement("style");
  style.textContent = `${await withEmbeddedPictures(stylesOf([...document.styleSheets]))}\n${FRAME}`;
  page.head.prepend(charset, viewport);
  page.head.append(style);
  page.body.append(page.adoptNode(copy));
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

const FRAME = "body { margin: 0 auto; max-width: 46em; padding: 2em 1.5em; overflow: visible; height: auto }";

/** A link to another page leads nowhere in a file of its own; one within the page, or to the web, does. */
function detach(link: HTMLAnchorElement): void {
  const url = new URL(link.href, location.href);
  const isWithin = link.hash !== "" && url.pathname === location.pathname;
  if (isWithin) link.setAttribute("href", link.hash);
  else if (url.origin === location.origin) link.removeAttribute("href");
  link.removeAttribute("target");
}

/** Pictures are put into the file; one that can't be read is replaced by its description. */
async function embedPictures(article: HTMLElement, copy: HTMLElement): Promise<void> {
  const shown = [...article.querySelectorAll("img")];
  const copies = [...copy.querySelectorAll("img")];
  await Promise.all(
    copies.map(async (picture, index) => {
      const source = shown[index];
      const data = source === undefined ? null : await dataUrl(source);
      for (const name of ["srcset", "sizes", "loading", "decoding", "role", "tabindex", "aria-label"]) picture.removeAttribute(name);
      for (const other of picture.closest("picture")?.querySelectorAll("source") ?? []) other.remove();
      if (data === null) picture.replaceWith(picture.alt);
      else picture.src = data;
    }),
  );
}

async function dataUrl(picture: HTMLImageElement): Promise<string | null> {
  const address = picture.currentSrc || picture.src;
  if (address.startsWith("data:")) return address;
  // A diagram's address belongs to this page alone.
  if (address.startsWith("blob:")) return painted(picture);
  return fetched(address);
}

async function fetched(address: string): Promise<string | null> {
  try {
    const answer = await fetch(address);
    return answer.ok ? await read(await answer.blob()) : null;
  } catch {
    return null;
  }
}

function read(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("a picture could not be read"));
    reader.readAsDataURL(blob);
  });
}

function painted(picture: HTMLImageElement): string | null {
  // Sharp on dense screens.
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  const context = canvas.getContext("2d");
  if (context === null) return null;
  try {
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  } catch {
    return null;
  }
}

const KEPT = /\.reading|:root|\[data-theme="light"\]|^(?:html|body|\*)/;

/** The rules of the text and of the colours; the others are about the frame. Addresses of pictures are complete. */
export function stylesOf(sheets: readonly { cssRules: Iterable<CSSRule>; href: string | null }[]): string {
  return sheets
    .map(({ cssRules, href }) => rulesOf(cssRules).join("\n").replace(PICTURE, (_, address: string) => `url("${new URL(address, href ?? location.href).href}")`))
    .join("\n");
}

/** The address of a picture in a style that is not in the style itself. */
const PICTURE = /url\(["']?((?!data:|#)[^"')]+)["']?\)/g;

/** Puts the ticks of tasks and the icons of callouts into the styles. */
async function withEmbeddedPictures(styles: string): Promise<string> {
  const addresses = new Set([...styles.matchAll(PICTURE)].map(([, address = ""]) => address));
  const embedded = new Map(await Promise.all([...addresses].map(async (address) => [address, await fetched(address)] as const)));
  return styles.replace(PICTURE, (written, address: string) => {
    const data = embedded.get(address) ?? null;
    return data === null ? written : `url("${data}")`;
  });
}

function rulesOf(rules: Iterable<CSSRule>): string[] {
  return [...rules].flatMap((rule) => {
    if ("selectorText" in rule) return KEPT.test(rule.selectorText as string) ? [rule.cssText] : [];
    if (!("cssRules" in rule)) return [];
    const inner = rulesOf(rule.cssRules as CSSRuleList);
    const head = rule.cssText.slice(0, rule.cssText.indexOf("{"));
    return inner.length === 0 ? [] : [`${head}{\n${inner.join("\n")}\n}`];
  });
}
