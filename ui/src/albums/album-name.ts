// The name of an album as it is shown: that of the favourites is in the user's language.
import type { AlbumInfo } from "../api/albums";
import { t } from "../i18n";

export function albumName({ name, is_favourites }: Pick<AlbumInfo, "name" | "is_favourites">): string {
  return is_favourites ? t("albums.favourites") : name;
}
