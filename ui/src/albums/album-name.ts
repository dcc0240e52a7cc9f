// An album as it is shown: its name, which for the favourites is in the user's language, and its address.
import { albumAddress } from "../api/addresses/album-address";
import { foundAddress } from "../api/addresses/found-address";
import type { AlbumInfo } from "../api/albums";
import { t } from "../i18n";

export function albumName({ name, is_favourites }: Pick<AlbumInfo, "name" | "is_favourites">): string {
  return is_favourites ? t("albums.favourites") : name;
}

/** True for a smart album, which has the pictures that a search finds. */
export function isSmart<T extends Pick<AlbumInfo, "search">>(album: T): album is T & { search: string } {
  return typeof album.search === "string";
}

/** Returns the address of an album: for a smart one, that of the pictures it finds. */
export function addressOfAlbum(album: Pick<AlbumInfo, "id" | "search">): string {
  return isSmart(album) ? foundAddress(album.search, album.id) : albumAddress(album.id);
}
