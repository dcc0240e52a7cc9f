// Reserved room for a page's own pictures, whose sizes the server reports before they load: nothing moves during
// reading. Other pictures use their last seen sizes (`markdown/live/picture-space.ts`). Large ones load as thumbnails.
import type { PagePicture } from "../../api/backend";
import { thumbnailStep } from "../../api/formats/thumbnail-step";
import { trustedHtml } from "../../markdown";

const ADDRESS = "/api/asset?path=";
/** The widest column of text with the default settings, in CSS pixels; the factors of the others (`styles/reading.css`). */
const COLUMN = 680;
const FACTORS: Readonly<Record<string, number>> = { large: 1.15, larger: 1.35, wide: 1.35, full: 100 };
/** Below this ratio of their widths, in percent, a thumbnail is no gain over the picture. */
const GAIN = 75;
/** Formats without animations, each with the format of its thumbnail: one of them keeps transparency. */
const THUMBNAILS: Readonly<Record<string, string>> = { jpg: "jpg", jpeg: "jpg", avif: "webp", bmp: "webp", png: "webp" };
const MAX_SIDE = 4096;

/** The clean HTML of a block of the page `path`, in which each of its own pictures has its final size. */
export function withPictureSpace(html: string, path: string, pictures: readonly PagePicture[], density = window.devicePixelRatio): string {
  if (pictures.length === 0 || !html.includes("<img")) return html;
  const sizes = new Map(pictures.map((picture) => [picture.file_name, picture]));
  // The contents of a template load nothing.
  const template = document.createElement("template");
  template.innerHTML = trustedHtml(html);
  for (const image of template.content.querySelectorAll("img")) {
    const size = sizes.get(ownFile(image.getAttribute("src") ?? "", path) ?? "");
    if (size === undefined) continue;
    reserveSpace(image, size);
    loadThumbnail(image, size, density);
  }
  return template.innerHTML;
}

/** The address of a picture of a page itself, if the given one is of its thumbnail. */
export function originalAddress(address: string): string {
  return address.startsWith(ADDRESS) ? address.replace(/&size=.*$/, "") : address;
}

/** The name of a file of the page itself. */
function ownFile(address: string, path: string): string | null {
  if (!address.startsWith(ADDRESS)) return null;
  const query = new URLSearchParams(address.slice(address.indexOf("?")));
  return query.get("path") === path ? query.get("file") : null;
}

/** Sizes that the page's author has set stay unchanged. */
function reserveSpace(image: HTMLImageElement, { width, height }: PagePicture): void {
  const [ownWidth, ownHeight] = [sizeAttribute(image, "width"), sizeAttribute(image, "height")];
  if (ownWidth === null && ownHeight === null) {
    image.setAttribute("width", String(width));
    image.setAttribute("height", String(height));
  } else if (ownHeight === null && ownWidth !== undefined && ownWidth !== null) {
    image.setAttribute("height", String(Math.round((height * ownWidth) / width)));
  }
}

/** Loads a thumbnail as wide as the picture is shown, if that is much less than the picture itself. */
function loadThumbnail(image: HTMLImageElement, { file_name: name, width, height }: PagePicture, density: number): void {
  const format = THUMBNAILS[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
  const shown = sizeAttribute(image, "width");
  if (format === undefined || typeof shown !== "number") return;
  const step = thumbnailStep(Math.min(shown, columnWidth()), density);
  const tall = Math.ceil((step * height) / width);
  if (step * 100 > width * GAIN || tall > MAX_SIDE) return;
  image.setAttribute("src", `${image.getAttribute("src") ?? ""}&size=${step}x${Math.max(1, tall)}&mode=shrink&format=${format}`);
}

function columnWidth(): number {
  const { textSize = "", readingWidth = "" } = document.documentElement.dataset;
  return Math.min(window.innerWidth, COLUMN * (FACTORS[textSize] ?? 1) * (FACTORS[readingWidth] ?? 1));
}

/** Pixels; null if nothing is set, undefined if it is set in another unit. */
function sizeAttribute(image: HTMLImageElement, name: string): number | null | undefined {
  const value = image.getAttribute(name);
  if (value === null) return null;
  return /^\d+$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
}
