// Room for pictures of which nobody tells how large they are, but that were seen here before: as large as they were
// then. It ends when they come, as they may be others by now, so that what is shown in the end is shown as if there had
// been none. Of what a text's writer has said of their sizes, nothing changes.
import type { SeenSizes, Size } from "./seen-sizes";

export class PictureRooms {
  constructor(private readonly sizes: SeenSizes) {}

  /** For what is new in a text, before it is painted. */
  make(text: HTMLElement): void {
    // However often they are added, they are told once.
    text.addEventListener("load", this.#onCome, true);
    text.addEventListener("error", this.#onFailed, true);
    for (const picture of text.querySelectorAll("img")) {
      if (isSized(picture) || isRoom(picture)) continue;
      const size = this.sizes.get(nameOf(picture));
      // What is there takes its room itself.
      if (size !== null && picture.naturalWidth === 0) beginRoom(picture, size);
    }
  }

  readonly #onCome = ({ target: picture }: Event): void => {
    if (!(picture instanceof HTMLImageElement)) return;
    const hadRoom = isRoom(picture);
    endRoom(picture);
    if (isSized(picture)) return;
    // By then everything has its place: asked now, the browser would have to find the places for this alone.
    requestAnimationFrame(() => {
      if (hadRoom && picture.getBoundingClientRect().height === 0) layOutAnew(picture);
      const size = sizeOf(picture);
      if (size !== null) this.sizes.note(nameOf(picture), size);
    });
  };

  readonly #onFailed = ({ target: picture }: Event): void => {
    if (!(picture instanceof HTMLImageElement)) return;
    endRoom(picture);
    this.sizes.forget(nameOf(picture));
  };
}

/** Whether its room is known without it: by its writer, or by the server. */
function isSized(picture: HTMLImageElement): boolean {
  return ["width", "height"].every((side) => /^\d+$/.test(picture.getAttribute(side) ?? ""));
}

/** The same picture may be of another size where something else was said of it, and in a table. */
function nameOf(picture: HTMLImageElement): string {
  const [width, height, address] = ["width", "height", "src"].map((name) => picture.getAttribute(name) ?? "");
  return `picture ${picture.closest("table") === null ? "" : "table"} ${width} ${height} ${address}`;
}

/** As wide as it was, unless that is said, and as high as goes with it. Its own proportions win as soon as they are known. */
function beginRoom(picture: HTMLImageElement, { width, height }: Size): void {
  const isWidthSaid = picture.hasAttribute("width");
  if (!isWidthSaid) picture.setAttribute("width", String(width));
  picture.style.aspectRatio = `auto ${width} / ${height}`;
  picture.dataset["room"] = isWidthSaid ? "" : "width";
}

function isRoom(picture: HTMLImageElement): boolean {
  return picture.dataset["room"] !== undefined;
}

function endRoom(picture: HTMLImageElement): void {
  if (!isRoom(picture)) return;
  if (picture.dataset["room"] === "width") picture.removeAttribute("width");
  picture.style.aspectRatio = "";
  delete picture.dataset["room"];
}

/** WebKit goes on with no height at all where a drawing tells its width alone, until the picture is made anew. */
function layOutAnew(picture: HTMLImageElement): void {
  picture.style.display = "inline";
  picture.getBoundingClientRect();
  picture.style.display = "";
}

/**
 * As it is laid out, or as large as it is where it had to be made smaller; null where it is not laid out. Of a drawing
 * without a size of its own (SVG), what is laid out is all that engines agree on.
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
