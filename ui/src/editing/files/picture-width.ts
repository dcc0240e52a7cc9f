// The width of a picture in the source of a page. The picture is sought by its number in the rendered page, and a change
// is accepted if it changes that picture alone.
import { renderPage } from "../../markdown/rendering/page-renderer";
import { NO_WORDS } from "../../markdown/page-words";
import { trustedHtml } from "../../markdown/sanitizing/trusted-html";

/** The pictures that are files of pages, as the page renders them. */
export const PAGE_PICTURES = 'img[src^="/api/asset?path="]';

/** The size of a picture: a width, or a box; null for the picture's own size. */
export interface WrittenSize {
  width: number;
  height: number | null;
}

const INLINE = /!\[((?:\\.|[^[\]\\]|\[[^[\]]*\])*)\](?!\])/g;
const EMBED = /!\[\[([^`<>$\\:^[\]|\n]+)((?:\\?\|[^`<>$\\:^[\]\n]*)?)\]\]/g;
const TAG = /<img\b[^>]*>/gi;
const SIZE = /(\\?)\|[ \t]*[1-9]\d{0,3}(?:[x×][1-9]\d{0,3})?[ \t]*$/;
/** The number of places that are tried. Far more than a line of pictures has. */
const MAX_ATTEMPTS = 24;

interface Place {
  start: number;
  end: number;
  /** Returns the texts that may set the size; in a table, the bar has to be written `\|`. */
  variants: (size: string, parts: WrittenSize | null) => string[];
}

/** Returns the text in which the picture at `index` has another size; null if it can't be changed. */
export function setPictureSize(text: string, path: string, index: number, size: WrittenSize | null): string | null {
  const before = picturesOf(text, path);
  if (before[index] === undefined) return null;
  const places = placesIn(text);
  const order = [...places.keys()].sort((a, b) => Math.abs(a - index) - Math.abs(b - index)).slice(0, MAX_ATTEMPTS);
  const written = size === null ? "" : size.height === null ? `${size.width}` : `${size.width}x${size.height}`;
  for (const at of order) {
    const { start, end, variants } = places[at] as Place;
    for (const variant of variants(written, size)) {
      const changed = text.slice(0, start) + variant + text.slice(end);
      if (isSize(picturesOf(changed, path), before, index, written)) return changed;
    }
  }
  return null;
}

/** True if the picture has the size, and all others are as before. */
function isSize(now: readonly string[], before: readonly string[], index: number, size: string): boolean {
  return now.length === before.length && now.every((picture, at) => (at === index ? sizeOf(picture) === size && sourceOf(picture) === sourceOf(before[at]) : picture === before[at]));
}

const sizeOf = (picture: string) => picture.slice(0, picture.indexOf(" "));
const sourceOf = (picture = "") => picture.slice(picture.indexOf(" "));

/** Returns the size, the address and the text of each picture. */
function picturesOf(text: string, path: string): string[] {
  const template = document.createElement("template");
  return renderPage(text, path, NO_WORDS).blocks.flatMap(({ html }) => {
    if (!html.includes("<img")) return [];
    template.innerHTML = trustedHtml(html);
    return [...template.content.querySelectorAll<HTMLImageElement>(PAGE_PICTURES)].map((picture) => {
      const [width, height] = ["width", "height"].map((side) => picture.getAttribute(side));
      return `${[width, height].filter((side) => side !== null).join("x")} ${picture.getAttribute("src")} ${picture.alt}`;
    });
  });
}

function placesIn(text: string): Place[] {
  const inline = [...text.matchAll(INLINE)].map((match): Place => {
    const label = match[1] ?? "";
    const bare = label.replace(SIZE, "");
    return { start: match.index + 2, end: match.index + 2 + label.length, variants: (size) => (size === "" ? [bare] : bars(label).map((bar) => bare + bar + size)) };
  });
  const embeds = [...text.matchAll(EMBED)].map((match): Place => {
    const [, name = "", more = ""] = match;
    const start = match.index + 3 + name.length;
    const bare = more.replace(SIZE, "");
    return { start, end: start + more.length, variants: (size) => (size === "" ? [bare] : bars(more).map((bar) => bare + bar + size)) };
  });
  const tags = [...text.matchAll(TAG)].map((match): Place => {
    const bare = match[0].replace(/[ \t]+(?:width|height)[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, "");
    const sides = (size: WrittenSize | null) => (size === null ? "" : ` width="${size.width}"${size.height === null ? "" : ` height="${size.height}"`}`);
    return { start: match.index, end: match.index + match[0].length, variants: (_size, parts) => [bare.replace(/[ \t]*\/?>$/, (end) => sides(parts) + end)] };
  });
  return [...inline, ...embeds, ...tags].sort((a, b) => a.start - b.start);
}

/** The bars before a size, the likelier one first. */
function bars(written: string): string[] {
  return SIZE.exec(written)?.[1] === "\\" ? ["\\|", "|"] : ["|", "\\|"];
}
