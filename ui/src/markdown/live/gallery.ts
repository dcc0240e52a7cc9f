// The pictures of a folder in a page: rows of thumbnails that link to the pictures, in the folder's current state.
import type { FolderEntry, FolderListing, Root } from "../../api/backend";
import { FolderWatch } from "../../api/events/folder-watch.svelte";
import { encodeName, type EncodedPath, encodePathFields, joinPath } from "../../api/names";
import { galleryQuery } from "../../api/addresses/gallery-address";
import { picturesAddress } from "../../api/addresses/pictures-address";
import { thumbnailStep } from "../../api/formats/thumbnail-step";
import { errorMessage, locale, t } from "../../i18n";
import { type GalleryOptions, placeOfFolder } from "../fences/gallery-options";
import { type GalleryBackend, note } from "./gallery-boxes";

/** The interval within which changes of a folder are treated as one, in milliseconds. */
const PAUSE = 300;

interface Place {
  root: Root;
  path: EncodedPath;
}

/** A picture in its place. */
interface Item {
  /** The address of the picture in its folder, which is its key here. */
  address: string;
  element: HTMLElement;
  link: HTMLAnchorElement;
  thumbnail: string;
}

export class Gallery {
  readonly #ending = new AbortController();
  readonly #list = document.createElement("ul");
  /** The items by their addresses. */
  #items: ReadonlyMap<string, Item> = new Map();
  #watch: FolderWatch | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();
  /** Resolves once the first read of the folder has succeeded or failed. */
  readonly drawn: Promise<void>;

  constructor(
    private readonly box: HTMLElement,
    private readonly options: GalleryOptions,
    private readonly backend: GalleryBackend,
    /** Called with the number of pictures in the list whenever they are shown. */
    private readonly onshown: (list: HTMLElement, pictures: number) => void = () => {},
  ) {
    const { events } = backend;
    const removers = [
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        if (path === null || path === undefined || this.#isOf(root, encodePathFields(path, path_bytes))) this.#soon();
      }),
      events.on("folder.read", ({ root, path, path_bytes, unread }) => {
        // The capture times and marks of pictures are only known once all pictures have been read.
        const { sort, rating, tag } = this.options;
        const depends = sort === "taken" || rating !== undefined || tag !== undefined;
        if (depends && unread === 0 && this.#isOf(root, encodePathFields(path, path_bytes))) this.#soon();
      }),
      events.on("resync", () => this.#soon()),
    ];
    this.#ending.signal.addEventListener("abort", () => {
      for (const remove of removers) remove();
    });
    this.drawn = this.#read();
  }

  dispose(): void {
    this.#ending.abort();
    this.#asking.abort();
    clearTimeout(this.#pause);
    this.#watch?.dispose();
  }

  #isOf(root: string, path: EncodedPath): boolean {
    return this.#watch?.root === root && this.#watch.path === path;
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
      const place = placeOfFolder(this.options.folder, await this.backend.roots.list(signal));
      if (signal.aborted) return;
      if (place === null) {
        this.#show(note(t("gallery.not_open", { folder: this.options.folder })));
        return;
      }
      await this.#follow(place);
      if (signal.aborted) return;
      const { sort, order, filter, rating, tag, limit } = this.options;
      const query = { root: place.root.id, path: place.path, sort, order, filter, rating, tag, limit, kind: "picture", offset: 0 } as const;
      const listing = await this.backend.folders.list(definedOf(query), signal);
      if (!signal.aborted) this.#draw(place, listing);
    } catch (error) {
      if (!signal.aborted) this.#show(note(t("gallery.failed", { folder: this.options.folder, reason: errorMessage(error) })));
    }
  }

  /** Watches a folder before it is read, so that no change is missed. */
  async #follow({ root, path }: Place): Promise<void> {
    if (this.#isOf(root.id, path)) return;
    this.#watch?.dispose();
    this.#watch = new FolderWatch(this.backend, root.id, path, () => this.#soon());
    await this.#watch.ready;
  }

  #draw({ root, path }: Place, { entries, total }: FolderListing): void {
    const items = entries.map((entry) => this.#item(root.id, path, entry));
    this.#items = new Map(items.map((item) => [item.address, item]));
    this.#list.setAttribute("aria-label", this.options.folder);
    // The keyboard focus stays on its picture, even if the picture has moved.
    const focused = this.#list.querySelector<HTMLElement>("a:focus");
    arrange(this.#list, items.map(({ element }) => element));
    this.#show(entries.length === 0 ? note(t("gallery.empty")) : this.#list, captionOf(root.id, path, this.options.folder, entries.length, total));
    if (entries.length > 0) this.onshown(this.#list, entries.length);
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  /**
   * Returns the item of an entry. Existing items stay: a picture of which only metadata has changed is not fetched and
   * drawn again.
   */
  #item(root: string, path: EncodedPath, entry: FolderEntry): Item {
    const address = picturesAddress(root, path, encodeName(entry));
    const size = thumbnailStep(this.options.size, window.devicePixelRatio);
    const thumbnail = this.backend.folders.thumbUrl({ root, path: joinPath(path, entry), id: entry.id ?? null, turn: entry.turn, size });
    const item = this.#items.get(address) ?? emptyItem(address, entry.name);
    item.link.href = `${address}&${this.#context()}`;
    if (item.thumbnail === thumbnail) return item;
    item.thumbnail = thumbnail;
    // The previous thumbnail stays until the new one has loaded.
    const picture = item.link.querySelector("img") ?? pictureIn(item.link, entry.name);
    picture.src = thumbnail;
    return item;
  }

  /** Returns the query by which an opened picture finds its neighbours and the way back. */
  #context(): string {
    const { sort = "name", order = "asc", limit, filter, rating, tag } = this.options;
    const narrowing = new URLSearchParams(Object.entries({ filter, rating, tag }).filter((one): one is [string, string] => Boolean(one[1])));
    const page = this.box.closest<HTMLElement>("[data-pane]")?.dataset["pane"] ?? location.pathname + location.search;
    return [narrowing.toString(), galleryQuery({ page, sort, order, limit })].filter(Boolean).join("&");
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

function captionOf(root: string, path: EncodedPath, folder: string, shown: number, total: number): HTMLElement {
  const caption = document.createElement("p");
  caption.className = "gallery-caption";
  const link = document.createElement("a");
  link.href = picturesAddress(root, path);
  const name = document.createElement("bdi");
  name.textContent = folder;
  link.append(name);
  const count = shown < total ? t("gallery.part", { shown, total }) : t("gallery.count", { count: total });
  caption.append(link, " ", count);
  return caption;
}

/** Drops the fields without a value: a query has no such parameters. */
function definedOf<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}
