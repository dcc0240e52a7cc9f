// A search that is saved as a smart album, from the search page and from the pictures that it finds; or the album whose
// pictures are shown as a folder.
import BookmarkPlus from "@lucide/svelte/icons/bookmark-plus";
import FileImage from "@lucide/svelte/icons/file-image";
import PenLine from "@lucide/svelte/icons/pen-line";
import Save from "@lucide/svelte/icons/save";
import Trash2 from "@lucide/svelte/icons/trash-2";
import { ALBUMS_ADDRESS } from "../api/addresses/album-address";
import { foundAddress } from "../api/addresses/found-address";
import type { AlbumInfo } from "../api/albums";
import type { Backend } from "../api/backend";
import type { Action, Host } from "../api/host";
import { t } from "../i18n";
import { copyAlbum, COPY_KEY, isSmart } from "./album-name";

export const SAVE_SEARCH_KEY = "Shift+k";

export class SavedSearch {
  /** The album that is shown; null if there is none. */
  album = $state.raw<AlbumInfo | null>(null);
  /** The dialog that asks for a name, and what it is for; null while it is closed. */
  dialog = $state.raw<{ kind: "save"; query: string } | { kind: "rename"; album: AlbumInfo } | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "albums" | "events">,
    private readonly host: Pick<Host, "toast" | "describe" | "navigate">,
  ) {}

  /** Follows an album. Returns a function that stops it. */
  follow(id: string | null): () => void {
    this.album = null;
    if (id === null) return () => {};
    let isStopped = false;
    const read = async () => {
      try {
        const all = await this.backend.albums.list();
        if (!isStopped) this.album = all.find((one) => one.id === id) ?? null;
      } catch {
        // The pictures are shown by their search; the name is read again with the next change.
      }
    };
    void read();
    const stops = (["albums.changed", "resync"] as const).map((name) => this.backend.events.on(name, () => void read()));
    return () => {
      isStopped = true;
      stops.forEach((stop) => stop());
    };
  }

  /** The actions for a query, which may differ from that of the album. */
  menu(query: string): Action[] {
    const { album } = this;
    // Its own view has the actions of an album with a list.
    if (album !== null && !isSmart(album)) return [];
    const text = query.trim();
    const save: Action = { id: "smart-album-save", label: t("albums.smart_save"), key: SAVE_SEARCH_KEY, menu: true, icon: BookmarkPlus, run: () => void (this.dialog = { kind: "save", query: text }) };
    const saves = text === "" || album?.search === text ? [] : [save];
    if (album === null) return saves;
    const update: Action = { id: "smart-album-update", label: t("albums.smart_update"), menu: true, icon: Save, run: () => this.#update(album, text) };
    return [
      ...(saves.length > 0 ? [update] : []),
      ...saves,
      { id: "album-rename", label: t("albums.rename"), menu: true, icon: PenLine, run: () => void (this.dialog = { kind: "rename", album }) },
      { id: "album-copy", label: t("albums.copy"), key: COPY_KEY, menu: true, icon: FileImage, run: () => copyAlbum(album, this.host) },
      { id: "album-delete", label: t("albums.delete"), menu: true, icon: Trash2, run: () => this.#remove(album) },
    ];
  }

  readonly close = (): void => {
    this.dialog = null;
  };

  /** Saves the search under the name, or renames the album. Throws the server's error. */
  readonly name = async (name: string): Promise<void> => {
    const { dialog } = this;
    if (dialog?.kind === "rename") {
      this.album = await this.backend.albums.change(dialog.album.id, { name });
    } else if (dialog) {
      const album = await this.backend.albums.createSmart(name, dialog.query);
      await this.host.navigate(foundAddress(dialog.query, album.id));
      this.host.toast(t("albums.smart_saved", { name: album.name }), { tone: "good", undo: () => this.backend.albums.remove(album.id) });
    }
  };

  async #update(album: AlbumInfo, search: string): Promise<void> {
    await this.#attempt(async () => {
      this.album = await this.backend.albums.change(album.id, { search });
      const undo = async () => void (await this.backend.albums.change(album.id, { search: album.search ?? null }));
      this.host.toast(t("albums.smart_updated", { name: album.name }), { tone: "good", undo });
    });
  }

  async #remove(album: AlbumInfo): Promise<void> {
    await this.#attempt(async () => {
      await this.backend.albums.remove(album.id);
      await this.host.navigate(ALBUMS_ADDRESS);
      this.host.toast(t("albums.smart_deleted", { name: album.name }), { undo: async () => void (await this.backend.albums.restore(album.id)) });
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
    }
  }
}
