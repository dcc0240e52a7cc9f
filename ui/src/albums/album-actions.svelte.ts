// Adding pictures of a folder to albums: by a dialog, and to the favourites by a key.
import Heart from "@lucide/svelte/icons/heart";
import ImageMinus from "@lucide/svelte/icons/image-minus";
import ImagePlus from "@lucide/svelte/icons/image-plus";
import type { AlbumInfo, AlbumPicture } from "../api/albums";
import type { Backend, FilePlace } from "../api/backend";
import type { Action, Host } from "../api/host";
import { encodeName, encodePathFields } from "../api/names";
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

  /** The actions for pictures of an album that is shown as a folder. */
  takeOutMenu(album: AlbumInfo): Action[] {
    return [{ id: "album-take-out", label: t("albums.take_out"), menu: true, icon: ImageMinus, run: () => this.#takeOut(album) }];
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
    await this.#report(album, added, pictures);
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
    if (pictures.length > 0) await this.toggleFavourite(pictures);
  };

  /** Adds given pictures to the favourites; if they all are there already, removes them. */
  async toggleFavourite(pictures: readonly FilePlace[]): Promise<void> {
    try {
      const { album, added } = await this.backend.albums.addFavourites(pictures, t("albums.favourites"));
      if (added > 0) {
        await this.#report(album, added, pictures);
        return;
      }
      const undo = await takeOutPlaces(this.backend, album.id, pictures);
      this.host.toast(t("albums.unfavourited", { count: pictures.length }), { undo });
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }

  async #takeOut(album: AlbumInfo): Promise<void> {
    const pictures = await this.#pictures();
    if (pictures.length === 0) return;
    try {
      const undo = await takeOutPlaces(this.backend, album.id, pictures);
      this.host.toast(t("albums.taken_out_of", { count: pictures.length, name: albumName(album) }), { undo });
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }

  #report(album: AlbumInfo, added: number, pictures: readonly FilePlace[]): Promise<void> {
    return reportAdded(this.backend, this.host, album, added, pictures);
  }

  async #pictures(): Promise<FilePlace[]> {
    const { pictures, files } = await this.targets();
    if (pictures.length === 0 && files > 0) this.host.toast(t("albums.pictures_only"));
    return pictures;
  }
}

/** Reports how many pictures were added to an album, at the end or before another one, with an undo. */
export async function reportAdded(backend: Pick<Backend, "albums">, host: Pick<Host, "toast">, album: AlbumInfo, added: number, pictures: readonly FilePlace[], before: string | null = null): Promise<void> {
  const name = albumName(album);
  if (added === 0) {
    host.toast(t("albums.added_none", { name }));
    return;
  }
  const undo = await undoOfAddition(backend, album.id, added, pictures, before);
  host.toast(t("albums.added", { count: added, name }), { tone: "good", undo });
}

/** Returns the undo of an addition, which takes out the added pictures, and none that were there before. */
async function undoOfAddition({ albums }: Pick<Backend, "albums">, id: string, added: number, pictures: readonly FilePlace[], before: string | null): Promise<() => Promise<void>> {
  if (added === pictures.length) return async () => void (await albums.takeOutPlaces(id, pictures, false));
  const { pictures: all } = await albums.get(id, undefined, false);
  const next = all.findIndex(({ item }) => item === before);
  const end = next < 0 ? all.length : next;
  const items = all.slice(Math.max(0, end - added), end).map(({ item }) => item);
  return async () => void (await albums.takeOut(id, items, false));
}

/** Takes pictures out of an album. Returns the undo, which puts them back to their places, and restores the cover. */
async function takeOutPlaces({ albums }: Pick<Backend, "albums">, id: string, pictures: readonly FilePlace[]): Promise<() => Promise<void>> {
  const before = await albums.get(id, undefined, false);
  await albums.takeOutPlaces(id, pictures);
  const after = await albums.get(id, undefined, false);
  const remaining = new Set(after.pictures.map(({ item }) => item));
  return async () => {
    for (const { places, next } of runsWithout(before.pictures, remaining)) await albums.add(id, places, next);
    const { cover } = before.album;
    if (!cover) return;
    const place = { root: cover.root, path: encodePathFields(cover.path, cover.path_bytes) };
    const { pictures: all } = await albums.get(id, undefined, false);
    const chosen = all.find((picture) => isAt(picture, place));
    if (chosen && !remaining.has(chosen.item) && chosen !== all[0]) await albums.change(id, { cover: chosen.item });
  };
}

/** Returns the places of the pictures that do not remain, in runs, each with the remaining picture that follows it. */
function runsWithout(pictures: readonly AlbumPicture[], remaining: ReadonlySet<string>): { places: FilePlace[]; next: string | undefined }[] {
  const runs: { places: FilePlace[]; next: string | undefined }[] = [];
  let places: FilePlace[] = [];
  const end = (next?: string) => {
    if (places.length > 0) runs.push({ places, next });
    places = [];
  };
  for (const picture of pictures) {
    const place = albumPlace(picture);
    if (remaining.has(picture.item)) end(picture.item);
    // A picture that is gone has no place by which it could be added again.
    else if (place) places.push(place);
  }
  end();
  return runs;
}

function isAt(picture: AlbumPicture, { root, path }: FilePlace): boolean {
  const place = albumPlace(picture);
  return place?.root === root && place.path === path;
}

/** Returns the place of a picture of an album; null unless it is there. */
function albumPlace({ root, entry }: AlbumPicture): FilePlace | null {
  return typeof root === "string" && entry ? { root, path: encodeName(entry) } : null;
}
