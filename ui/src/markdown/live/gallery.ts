// The pictures of a folder or an album in a page: rows of thumbnails that link to the pictures, in their current state.
import { thumbnailStep } from "../../api/formats/thumbnail-step";
import { errorMessage, locale, t } from "../../i18n";
import { type AlbumOptions, isOfAlbum } from "../fences/album-options";
import type { GalleryOptions } from "../fences/gallery-options";
import { note } from "./gallery-boxes";
import { AlbumSource, type BoxContents, type BoxPicture, FolderSource, type GallerySource, type SourceBackend } from "./gallery-source";

/** The interval within which changes of a folder are treated as one, in milliseconds. */
const PAUSE = 300;

/** A picture in its place. */
interface Item {
  /** The address of the picture without the way back, which is its key here. */
  address: string;
  element: HTMLElement;
  link: HTMLAnchorElement;
  thumbnail: string;
}

export class Gallery {
  readonly #list = document.createElement("ul");
  readonly #source: GallerySource;
  /** The items by their addresses. */
  #items: ReadonlyMap<string, Item> = new Map();
  #pause: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();
  /** Resolves once the first read of the pictures has succeeded or failed. */
  readonly drawn: Promise<void>;

  constructor(
    private readonly box: HTMLElement,
    private readonly options: GalleryOptions | AlbumOptions,
    private readonly backend: SourceBackend,
    /** Called with the number of pictures in the list whenever they are shown. */
    private readonly onshown: (list: HTMLElement, pictures: number) => void = () => {},
  ) {
    const soon = () => this.#soon();
    this.#source = isOfAlbum(options) ? new AlbumSource(options, backend, soon) : new FolderSource(options, backend, soon);
    this.drawn = this.#read();
  }

  dispose(): void {
    this.#asking.abort();
    clearTimeout(this.#pause);
    this.#source.dispose();
  }

  #soon(): void {
    if (!this.box.isConnected) {
      this.dispose();
      return;
    }
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.#read(), PAUSE);
  }

  async #read(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    try {
      const contents = await this.#source.read(signal);
      if (signal.aborted) return;
      if (typeof contents === "string") this.#show(note(contents));
      else this.#draw(contents);
    } catch (error) {
      if (!signal.aborted) this.#show(note(t("gallery.failed", { folder: this.#source.name, reason: errorMessage(error) })));
    }
  }

  #draw({ pictures, total, name, address }: BoxContents): void {
    const page = this.box.closest<HTMLElement>("[data-pane]")?.dataset["pane"] ?? location.pathname + location.search;
    const context = this.#source.context(page);
    const items = pictures.map((picture) => this.#item(picture, context));
    this.#items = new Map(items.map((item) => [item.address, item]));
    this.#list.setAttribute("aria-label", name);
    // The keyboard focus stays on its picture, even if the picture has moved.
    const focused = this.#list.querySelector<HTMLElement>("a:focus");
    arrange(this.#list, items.map(({ element }) => element));
    this.#show(pictures.length === 0 ? note(t("gallery.empty")) : this.#list, captionOf(name, address, pictures.length, total));
    if (pictures.length > 0) this.onshown(this.#list, pictures.length);
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  /**
   * Returns the item of a picture. Existing items stay: a picture of which only metadata has changed is not fetched and
   * drawn again. `context` is the query of the way back.
   */
  #item({ entry, place, address }: BoxPicture, context: string): Item {
    const size = thumbnailStep(this.options.size, window.devicePixelRatio);
    const thumbnail = this.backend.folders.thumbUrl({ ...place, id: entry.id ?? null, turn: entry.turn, crop: entry.crop, size });
    const item = this.#items.get(address) ?? emptyItem(address, entry.name);
    item.link.href = `${address}&${context}`;
    if (item.thumbnail === thumbnail) return item;
    item.thumbnail = thumbnail;
    // The previous thumbnail stays until the new one has loaded.
    const picture = item.link.querySelector("img") ?? pictureIn(item.link, entry.name);
    picture.src = thumbnail;
    return item;
  }

  /** Shows the parts. The source stays, hidden, to be read again. */
  #show(...parts: HTMLElement[]): void {
    const source = this.box.querySelector("pre");
    if (source !== null) source.hidden = true;
    for (const part of parts) part.lang = locale();
    arrange(this.box, source === null ? parts : [...parts, source]);
  }
}

/**
 * Arranges exactly these children in this order. Moves no element without need: a removed element loses its scroll
 * position.
 */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const wanted = new Set<Node>(children);
  for (const child of [...parent.childNodes]) {
    if (!wanted.has(child)) child.remove();
  }
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}

function emptyItem(address: string, name: string): Item {
  const link = document.createElement("a");
  link.title = name;
  link.className = "picture-box";
  const element = document.createElement("li");
  element.append(link);
  return { address, element, link, thumbnail: "" };
}

/** Creates the picture. If it can't be shown, the name of the file replaces it. */
function pictureIn(link: HTMLAnchorElement, name: string): HTMLImageElement {
  const picture = document.createElement("img");
  picture.setAttribute("loading", "lazy");
  picture.decoding = "async";
  picture.draggable = false;
  picture.alt = name;
  picture.addEventListener("error", () => {
    const instead = document.createElement("bdi");
    instead.className = "gallery-name";
    instead.textContent = name;
    picture.replaceWith(instead);
  });
  link.replaceChildren(picture);
  return picture;
}

function captionOf(title: string, address: string, shown: number, total: number): HTMLElement {
  const caption = document.createElement("p");
  caption.className = "gallery-caption";
  const link = document.createElement("a");
  link.href = address;
  const name = document.createElement("bdi");
  name.textContent = title;
  link.append(name);
  const count = shown < total ? t("gallery.part", { shown, total }) : t("gallery.count", { count: total });
  caption.append(link, " ", count);
  return caption;
}
