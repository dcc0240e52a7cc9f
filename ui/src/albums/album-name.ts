// An album as it is shown: its name, which for the favourites is in the user's language, and its address.
import { albumAddress } from "../api/addresses/album-address";
import { foundAddress } from "../api/addresses/found-address";
import type { AlbumInfo } from "../api/albums";
import type { Host } from "../api/host";
import { t } from "../i18n";
import { albumFence, shownAlbumName as albumName } from "../markdown";

export { albumName };
export const COPY_KEY = "Shift+g";

/** Copies the fence by which a page shows an album. */
export async function copyAlbum(album: Pick<AlbumInfo, "id" | "name" | "is_favourites">, host: Pick<Host, "toast">): Promise<void> {
  try {
    await navigator.clipboard.writeText(albumFence(album));
    host.toast(t("albums.copied", { name: albumName(album) }), { tone: "good" });
  } catch {
    host.toast(t("albums.copy_failed"), { tone: "bad" });
  }
}

/** True for a smart album, which has the pictures that a search finds. */
export function isSmart<T extends Pick<AlbumInfo, "search">>(album: T): album is T & { search: string } {
  return typeof album.search === "string";
}

/** Returns the address of the pictures of an album as a folder. */
export function albumFolderAddress(id: string): string {
  return foundAddress(`album:${id}`, id);
}

/** Returns the address of an album: for a smart one, that of the pictures it finds. */
export function addressOfAlbum(album: Pick<AlbumInfo, "id" | "search">): string {
  return isSmart(album) ? foundAddress(album.search, album.id) : albumAddress(album.id);
}

/** Returns a query with the name of the album in place of its id, by which it is found under any name. */
export function withAlbumName(query: string, album: Pick<AlbumInfo, "id" | "name" | "is_favourites"> | null): string {
  return album === null ? query : query.replaceAll(`album:${album.id}`, () => namedTerm(album) ?? `album:${album.id}`);
}

/** Returns a query with the id of the album in place of its name. */
export function withAlbumId(query: string, album: Pick<AlbumInfo, "id" | "name" | "is_favourites"> | null): string {
  const term = album === null ? null : namedTerm(album);
  return album === null || term === null ? query : query.replaceAll(term, () => `album:${album.id}`);
}

/** Null for a name that can't be quoted. */
function namedTerm(album: Pick<AlbumInfo, "id" | "name" | "is_favourites">): string | null {
  const name = albumName(album);
  return name.includes('"') ? null : `album:"${name}"`;
}
