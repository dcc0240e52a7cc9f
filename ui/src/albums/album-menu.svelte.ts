// The menu of an album in a list of albums.
import Columns from "@lucide/svelte/icons/columns-2";
import ExternalLink from "@lucide/svelte/icons/external-link";
import FileImage from "@lucide/svelte/icons/file-image";
import Images from "@lucide/svelte/icons/images";
import PenLine from "@lucide/svelte/icons/pen-line";
import Trash2 from "@lucide/svelte/icons/trash-2";
import type { AlbumInfo } from "../api/albums";
import type { Backend } from "../api/backend";
import type { Host } from "../api/host";
import { t } from "../i18n";
import { addressOfAlbum, albumName, copyAlbum, isSmart } from "./album-name";

export type AlbumMenuHost = Pick<Host, "navigate" | "openTab" | "openBeside" | "showMenu" | "toast" | "describe">;

export class AlbumMenu {
  /** The album whose name is asked for. */
  renaming = $state.raw<AlbumInfo | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "albums">,
    private readonly host: AlbumMenuHost,
  ) {}

  show(album: AlbumInfo, at: { x: number; y: number }): void {
    const { host } = this;
    const { openBeside } = host;
    const [name, address] = [albumName(album), addressOfAlbum(album)];
    host.showMenu(
      t("albums.menu", { name }),
      [
        { id: "album-open", label: t("folders.menu_open"), keys: "Enter", icon: Images, group: 0, run: () => void host.navigate(address) },
        { id: "album-tab", label: t("folders.menu_open_tab"), icon: ExternalLink, group: 0, run: () => host.openTab(address) },
        ...(openBeside === null ? [] : [{ id: "album-beside", label: t("tabs.open_beside"), keys: "Mod+Enter", icon: Columns, group: 0, run: () => openBeside(address) }]),
        ...(album.is_favourites ? [] : [{ id: "album-rename", label: t("albums.rename"), icon: PenLine, group: 1, run: () => void (this.renaming = album) }]),
        { id: "album-copy", label: t("albums.copy"), icon: FileImage, group: 1, run: () => void copyAlbum(album, host) },
        { id: "album-delete", label: t("albums.delete"), icon: Trash2, group: 2, run: () => void this.#remove(album) },
      ],
      at,
    );
  }

  /** Throws if the name can't be used, which its dialog shows. */
  readonly rename = async (name: string): Promise<void> => {
    if (this.renaming) await this.backend.albums.change(this.renaming.id, { name });
  };

  readonly close = (): void => {
    this.renaming = null;
  };

  async #remove(album: AlbumInfo): Promise<void> {
    try {
      await this.backend.albums.remove(album.id);
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return;
    }
    const undo = async () => void (await this.backend.albums.restore(album.id));
    this.host.toast(t(isSmart(album) ? "albums.smart_deleted" : "albums.deleted", { name: albumName(album) }), { undo });
  }
}
