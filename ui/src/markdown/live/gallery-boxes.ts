// The boxes of a page in which folders and albums are shown. Each reserves its full size before anything is known, so that nothing
// below it moves. Its contents are fetched when it comes near the view.
import { errorMessage, t } from "../../i18n";
import { ALBUM_OPTIONS, type AlbumFault, type AlbumOptions, readAlbum } from "../fences/album-options";
import type { BoxOptions } from "../fences/box-options";
import { GALLERY_OPTIONS, type GalleryFault, type GalleryOptions, isFault, readGallery } from "../fences/gallery-options";
import type { Gallery } from "./gallery";
import type { SourceBackend } from "./gallery-source";
import { Lazy } from "./lazy";
import type { SizeMemory } from "./size-memory";

const gallery = new Lazy(() => import("./gallery"));

/** The gap between pictures, and the height of the caption, in pixels. */
const GAP = 6;
const CAPTION = 28;
/** The distance from the view at which a box is filled. */
const NEAR = "400px";
/** The pause before a gallery that is being edited is fetched, in milliseconds. */
const PAUSE = 200;

export class GalleryBoxes {
  readonly #shown = new Map<Element, Gallery>();
  readonly #near: IntersectionObserver;

  constructor(
    private readonly backend: SourceBackend,
    private readonly signal: AbortSignal,
    private readonly sizes: SizeMemory | null,
  ) {
    this.#near = new IntersectionObserver((entries) => this.#fillVisible(entries), { rootMargin: NEAR });
    signal.addEventListener("abort", () => {
      this.#near.disconnect();
      for (const shown of this.#shown.values()) shown.dispose();
    });
  }

  /** Reserves space for new boxes, before they are painted. */
  reserveSpace(root: ParentNode): void {
    for (const box of root.querySelectorAll<HTMLElement>(".gallery:not([data-live])")) {
      box.dataset["live"] = "";
      const read = optionsOf(box);
      if (isFault(read)) {
        box.prepend(note(isAlbum(box) ? albumFaultWords(read) : faultWords(read)));
        continue;
      }
      box.dataset["room"] = "";
      // If there were fewer pictures than rows when it was last seen, the box needs no more space now.
      const room = Math.min(spaceFor(read, read.rows), this.sizes?.get(nameOf(box))?.height ?? Infinity);
      box.style.height = `${room}px`;
      box.style.setProperty("--gallery-size", `${read.size}px`);
      box.style.setProperty("--gallery-gap", `${GAP}px`);
      box.style.setProperty("--gallery-caption", `${CAPTION}px`);
    }
  }

  /** Shows new boxes; called again after each change. Shown galleries stay, and removed ones are disposed. */
  show(root: ParentNode): void {
    for (const [box, shown] of this.#shown) {
      if (box.isConnected) continue;
      shown.dispose();
      this.#shown.delete(box);
    }
    this.reserveSpace(root);
    for (const box of root.querySelectorAll(".gallery[data-room]")) {
      if (!this.#shown.has(box)) this.#near.observe(box);
    }
  }

  /** Draws every gallery, including those far from the view. Resolves once each shows its pictures, or its error. */
  async drawAll(root: ParentNode): Promise<void> {
    this.show(root);
    const boxes = [...root.querySelectorAll<HTMLElement>(".gallery[data-room]")];
    await Promise.all(boxes.map((box) => this.#draw(box)));
  }

  async #draw(box: HTMLElement): Promise<void> {
    this.#near.unobserve(box);
    try {
      await this.#fill(box);
      await this.#shown.get(box)?.drawn;
    } catch (error) {
      failed(box, error);
    }
  }

  #fillVisible(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.#near.unobserve(target);
      const box = target as HTMLElement;
      setTimeout(() => {
        if (!this.signal.aborted && box.dataset["room"] !== undefined) void this.#fill(box).catch((error: unknown) => failed(box, error));
      }, PAUSE);
    }
  }

  async #fill(box: HTMLElement): Promise<void> {
    const read = optionsOf(box);
    if (isFault(read)) throw new Error("BUG: a gallery with a fault has no room");
    const { Gallery } = gallery.now ?? (await gallery.load());
    if (this.signal.aborted || !box.isConnected || this.#shown.has(box)) return;
    this.#shown.set(box, new Gallery(box, read, this.backend, (list, pictures) => this.#fit(box, read, { list, pictures })));
  }

  /** Shrinks the box to the height that its pictures need, the next time at the latest: nothing visible moves. */
  #fit(box: HTMLElement, read: BoxOptions, { list, pictures }: { list: HTMLElement; pictures: number }): void {
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const height = spaceFor(read, Math.min(read.rows, Math.ceil(pictures / columns)));
    this.sizes?.note(nameOf(box), { width: box.clientWidth, height });
    if (box.getBoundingClientRect().bottom > innerHeight) box.style.height = `${height}px`;
  }
}

function spaceFor({ size }: BoxOptions, rows: number): number {
  return rows * size + (rows - 1) * GAP + CAPTION;
}

/** True if the box shows an album, and not a folder. */
function isAlbum(box: Element): boolean {
  return box.classList.contains("album");
}

function optionsOf(box: Element): GalleryOptions | GalleryFault | AlbumOptions | AlbumFault {
  const source = box.querySelector("code")?.textContent ?? "";
  return isAlbum(box) ? readAlbum(source) : readGallery(source);
}

/** Returns a key of everything that determines the box's size, except the number of pictures. */
function nameOf(box: HTMLElement): string {
  return `gallery ${innerWidth} ${box.querySelector("code")?.textContent ?? ""}`;
}

/** Shows the error and the source. */
function failed(box: HTMLElement, error: unknown): void {
  delete box.dataset["room"];
  box.style.height = "";
  box.prepend(note(errorMessage(error)));
}

/** Creates the message that replaces pictures. */
export function note(words: string): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = "gallery-note";
  paragraph.textContent = words;
  return paragraph;
}

function faultWords(fault: GalleryFault | AlbumFault): string {
  switch (fault.kind) {
    case "no folder":
      return t("gallery.no_folder");
    case "no album":
      return t("gallery.no_album");
    case "no option":
      return t("gallery.no_option", { name: fault.name, options: GALLERY_OPTIONS.join(", ") });
    case "bad value":
      return t("gallery.bad_value", { name: fault.name, value: fault.value });
  }
}

function albumFaultWords(fault: GalleryFault | AlbumFault): string {
  if (fault.kind === "no option") return t("gallery.no_album_option", { name: fault.name, options: ALBUM_OPTIONS.join(", ") });
  return fault.kind === "bad value" ? t("gallery.bad_album_value", { name: fault.name, value: fault.value }) : faultWords(fault);
}
