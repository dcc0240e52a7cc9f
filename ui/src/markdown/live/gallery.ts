// The pictures of a folder in a page: thumbnails in rows that lead to the pictures themselves, as the folder is now.
import type { FolderEntry, FolderListing, Root } from "../../api/backend";
import { FolderWatch } from "../../api/folder-watch.svelte";
import { encodeName, type EncodedPath, encodeToldPath, joinPath } from "../../api/names";
import { picturesAddress } from "../../api/pictures-address";
import { thumbnailStep } from "../../api/thumbnail-step";
import { errorMessage, locale, t } from "../../i18n";
import { type GalleryOptions, placeOfFolder } from "../gallery-options";
import { type GalleryBackend, note } from "./gallery-boxes";

/** What happens in a folder so shortly after each other is one change, in milliseconds. */
const PAUSE = 300;

interface Place {
  root: Root;
  path: EncodedPath;
}

export class Gallery {
  readonly #ending = new AbortController();
  #watch: FolderWatch | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(
    private readonly box: HTMLElement,
    private readonly options: GalleryOptions,
    private readonly backend: GalleryBackend,
  ) {
    const { events } = backend;
    const removers = [
      events.on("folder.changed", ({ root, path, path_bytes }) => {
        if (path === null || path === undefined || this.#isOf(root, encodeToldPath(path, path_bytes))) this.#soon();
      }),
      events.on("folder.read", ({ root, path, path_bytes, unread }) => {
        // When pictures were taken, and how they are marked, is known only once all have been looked at.
        const { sort, rating, tag } = this.options;
        const depends = sort === "taken" || rating !== undefined || tag !== undefined;
        if (depends && unread === 0 && this.#isOf(root, encodeToldPath(path, path_bytes))) this.#soon();
      }),
      events.on("resync", () => this.#soon()),
    ];
    this.#ending.signal.addEventListener("abort", () => {
      for (const remove of removers) remove();
    });
    void this.#read();
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

  /** Before it is read, so that nothing that happens is missed. */
  async #follow({ root, path }: Place): Promise<void> {
    if (this.#isOf(root.id, path)) return;
    this.#watch?.dispose();
    this.#watch = new FolderWatch(this.backend, root.id, path, () => this.#soon());
    await this.#watch.begun;
  }

  #draw({ root, path }: Place, { entries, total }: FolderListing): void {
    const list = document.createElement("ul");
    list.setAttribute("aria-label", this.options.folder);
    list.append(...entries.map((entry) => this.#picture(root.id, path, entry)));
    // Whoever has scrolled, or gone to a picture by the keyboard, stays there.
    const before = this.box.querySelector("ul");
    const [top, focused] = [before?.scrollTop ?? 0, before?.querySelector("a:focus")?.getAttribute("href")];
    this.#show(entries.length === 0 ? note(t("gallery.empty")) : list, captionOf(root.id, path, this.options.folder, entries.length, total));
    list.scrollTop = top;
    const again = [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused);
    again?.focus({ preventScroll: true });
  }

  #picture(root: string, path: EncodedPath, entry: FolderEntry): HTMLElement {
    const picture = document.createElement("img");
    const size = thumbnailStep(this.options.size, window.devicePixelRatio);
    picture.setAttribute("loading", "lazy");
    picture.decoding = "async";
    picture.draggable = false;
    picture.alt = entry.name;
    picture.src = this.backend.folders.thumbUrl({ root, path: joinPath(path, entry), id: entry.id ?? null, size });
    const link = document.createElement("a");
    link.href = picturesAddress(root, path, encodeName(entry));
    link.title = entry.name;
    link.append(picture);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  /** The source stays, to be read again; it is hidden. */
  #show(...parts: HTMLElement[]): void {
    const source = this.box.querySelector("pre");
    if (source !== null) source.hidden = true;
    for (const part of parts) part.lang = locale();
    this.box.replaceChildren(...parts, ...(source === null ? [] : [source]));
  }
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

/** A query has no parameters without a value. */
function definedOf<T extends object>(query: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]: Exclude<T[K], undefined> };
}
