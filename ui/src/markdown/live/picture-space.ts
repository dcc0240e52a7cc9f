// Reserved space for pictures of unknown size that were seen on this device before, as large as they were then. The
// reservation ends when they load, as they may have changed, so the final layout is the same as without it. Sizes that
// the author of a text specified stay unchanged.
import type { SizeMemory, Size } from "./size-memory";

export class PictureSpace {
  constructor(private readonly sizes: SizeMemory) {}

  /** Reserves space for new pictures in a text, before it is painted. */
  make(text: HTMLElement): void {
    // Repeated additions of the same listener have no effect.
    text.addEventListener("load", this.#onLoad, true);
    text.addEventListener("error", this.#onFailed, true);
    for (const picture of text.querySelectorAll("img")) {
      if (picture.classList.contains("boxed")) shapeBox(picture);
      if (isSized(picture) || isReserved(picture)) continue;
      const size = this.sizes.get(nameOf(picture));
      // A loaded picture takes its own space.
      if (size !== null && picture.naturalWidth === 0) reserve(picture, size);
    }
  }

  readonly #onLoad = ({ target: picture }: Event): void => {
    if (!(picture instanceof HTMLImageElement)) return;
    const wasReserved = isReserved(picture);
    release(picture);
    if (isSized(picture)) return;
    // The layout is complete by then. An earlier query would force the browser to compute it just for this.
    requestAnimationFrame(() => {
      if (wasReserved && picture.getBoundingClientRect().height === 0) layOutAnew(picture);
      const size = sizeOf(picture);
      if (size !== null) this.sizes.note(nameOf(picture), size);
    });
  };

  readonly #onFailed = ({ target: picture }: Event): void => {
    if (!(picture instanceof HTMLImageElement)) return;
    release(picture);
    this.sizes.forget(nameOf(picture));
  };
}

/** True if the author or the server has specified the size. */
function isSized(picture: HTMLImageElement): boolean {
  return ["width", "height"].every((side) => /^\d+$/.test(picture.getAttribute(side) ?? ""));
}

/** Keeps the shape of a box in a column narrower than it. */
function shapeBox(picture: HTMLImageElement): void {
  const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
  if (width && height) picture.style.aspectRatio = `${width} / ${height}`;
}

/** Returns the key of a picture. The same picture may have another size with other attributes, or in a table. */
function nameOf(picture: HTMLImageElement): string {
  const [width, height, address] = ["width", "height", "src"].map((name) => picture.getAttribute(name) ?? "");
  return `picture ${picture.closest("table") === null ? "" : "table"} ${width} ${height} ${address}`;
}

/**
 * Reserves the previous width, unless one is specified, and the height in proportion. The picture's own proportions win
 * as soon as they are known.
 */
function reserve(picture: HTMLImageElement, { width, height }: Size): void {
  const isWidthSaid = picture.hasAttribute("width");
  if (!isWidthSaid) picture.setAttribute("width", String(width));
  picture.style.aspectRatio = `auto ${width} / ${height}`;
  picture.dataset["room"] = isWidthSaid ? "" : "width";
}

function isReserved(picture: HTMLImageElement): boolean {
  return picture.dataset["room"] !== undefined;
}

function release(picture: HTMLImageElement): void {
  if (!isReserved(picture)) return;
  if (picture.dataset["room"] === "width") picture.removeAttribute("width");
  picture.style.aspectRatio = "";
  delete picture.dataset["room"];
}

/** Forces a new layout: in WebKit a drawing that only has a width keeps a height of zero until its box is rebuilt. */
function layOutAnew(picture: HTMLImageElement): void {
  picture.style.display = "inline";
  picture.getBoundingClientRect();
  picture.style.display = "";
}

/**
 * Returns the laid-out size, or the natural size if the picture was scaled down; null if it is not laid out. For a
 * drawing without a size of its own (SVG), engines only agree on the laid-out size.
 */
function sizeOf(picture: HTMLImageElement): Size | null {
  const { naturalWidth, naturalHeight } = picture;
  const { width, height } = picture.getBoundingClientRect();
  if (width === 0 || height === 0) return null;
  const isReduced = naturalWidth > width + 1 && Math.abs(height - (width * naturalHeight) / naturalWidth) < 1;
  return isReduced ? { width: naturalWidth, height: naturalHeight } : { width: rounded(width), height: rounded(height) };
}

function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
