// Adding pictures of a folder to albums: by a dialog, and to the favourites by a key.
import Heart from "@lucide/svelte/icons/heart";
import ImagePlus from "@lucide/svelte/icons/image-plus";
import type { AlbumInfo } from "../api/albums";
import type { Backend, FilePlace } from "../api/backend";
import type { Action, Host } from "../api/host";
import { t } from "../i18n";
import { albumName } from "./album-name";

export const ADD_KEY = "a";
export const FAVOURITE_KEY = "v";

export class AlbumActions {
  /** The pictures that are being added; null while the dialog is closed. */
  dialog = $state.raw<readonly FilePlace[] | null>(null);

  /** `targets` returns the pictures that actions apply to, and the number of all files. */
  constructor(
    private readonly backend: Pick<Backend, "albums">,
    private readonly host: Pick<Host, "toast" | "describe" | "undoable">,
    private readonly targets: () => Promise<{ pictures: FilePlace[]; files: number }>,
  ) {}

  menu(): Action[] {
    return [
      { id: "album-add", label: t("albums.add"), key: ADD_KEY, menu: true, icon: ImagePlus, run: this.ask },
      { id: "album-favourite", label: t("albums.favourite"), key: FAVOURITE_KEY, menu: true, icon: Heart, run: this.toggleFavourites },
    ];
  }

  readonly ask = async (): Promise<void> => {
    const pictures = await this.#pictures();
    if (pictures.length > 0) this.dialog = pictures;
  };

  readonly close = (): void => {
    this.dialog = null;
  };

  /** Adds the pictures of the dialog to an album. Throws the server's error. */
  async add(album: AlbumInfo): Promise<void> {
    const pictures = this.dialog ?? [];
    const { added } = await this.backend.albums.add(album.id, pictures);
    this.#report(album, added, pictures);
  }

  /** Creates an album of the pictures of the dialog. Throws the server's error. */
  async create(name: string): Promise<void> {
    const pictures = this.dialog ?? [];
    const album = await this.backend.albums.create(name, pictures);
    this.host.toast(t("albums.added", { count: album.count, name: albumName(album) }), { tone: "good", undo: () => this.backend.albums.remove(album.id) });
  }

  /** Adds the pictures to the favourites; if they all are there already, removes them. */
  readonly toggleFavourites = async (): Promise<void> => {
    const pictures = await this.#pictures();
    if (pictures.length === 0) return;
    try {
      const { album, added } = await this.backend.albums.addFavourites(pictures, t("albums.favourites"));
      if (added > 0) {
        this.#report(album, added, pictures);
        return;
      }
      await this.backend.albums.takeOutPlaces(album.id, pictures);
      const undo = async () => void (await this.backend.albums.add(album.id, pictures));
      this.host.toast(t("albums.unfavourited", { count: pictures.length }), { undo });
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  };

  #report(album: AlbumInfo, added: number, pictures: readonly FilePlace[]): void {
    reportAdded(this.backend, this.host, album, added, pictures);
  }

  async #pictures(): Promise<FilePlace[]> {
    const { pictures, files } = await this.targets();
    if (pictures.length === 0 && files > 0) this.host.toast(t("albums.pictures_only"));
    return pictures;
  }
}

/** Reports how many pictures were added to an album, with an undo. */
export function reportAdded(backend: Pick<Backend, "albums">, host: Pick<Host, "toast">, album: AlbumInfo, added: number, pictures: readonly FilePlace[]): void {
  const name = albumName(album);
  if (added === 0) {
    host.toast(t("albums.added_none", { name }));
    return;
  }
  // Only what was added by this is taken out again.
  const undo = added < pictures.length ? {} : { undo: async () => void (await backend.albums.takeOutPlaces(album.id, pictures)) };
  host.toast(t("albums.added", { count: added, name }), { tone: "good", ...undo });
}
