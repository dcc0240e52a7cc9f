// Reserved room for a page's own pictures, whose sizes the server reports before they load: nothing moves during
// reading. Other pictures use their last seen sizes (`markdown/live/picture-space.ts`).
import type { PagePicture } from "../../api/backend";
import { trustedHtml } from "../../markdown";

const ADDRESS = "/api/asset?path=";

/** The clean HTML of a block of the page `path`, in which each of its own pictures has its final size. */
export function withPictureSpace(html: string, path: string, pictures: readonly PagePicture[]): string {
  if (pictures.length === 0 || !html.includes("<img")) return html;
  const sizes = new Map(pictures.map((picture) => [picture.file_name, picture]));
  // The contents of a template load nothing.
  const template = document.createElement("template");
  template.innerHTML = trustedHtml(html);
  for (const image of template.content.querySelectorAll("img")) {
    const size = sizes.get(ownFile(image.getAttribute("src") ?? "", path) ?? "");
    if (size !== undefined) reserveSpace(image, size);
  }
  return template.innerHTML;
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

/** Pixels; null if nothing is set, undefined if it is set in another unit. */
function sizeAttribute(image: HTMLImageElement, name: string): number | null | undefined {
  const value = image.getAttribute(name);
  if (value === null) return null;
  return /^\d+$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
}
