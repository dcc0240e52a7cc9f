// The contents of a fence of the language `album`: the album and its options.
import type { AlbumInfo } from "../../api/albums";
import { t } from "../../i18n";
import { BOX_OPTIONS, type BoxOptions, type OptionFault, readBox } from "./box-options";
import { isFault } from "./gallery-options";

export interface AlbumOptions extends BoxOptions {
  /** The name as written; empty if there is only an id. */
  album: string;
  /** The id, by which an album is found under any name. */
  id?: string;
}

export type AlbumFault = { kind: "no album" } | OptionFault;

const OWN = ["album", "id"];
/** The names of all options. */
export const ALBUM_OPTIONS: readonly string[] = [...OWN, ...BOX_OPTIONS];

export function readAlbum(source: string): AlbumOptions | AlbumFault {
  const read = readBox(source, OWN);
  if (isFault(read)) return read;
  return read["album"] || read["id"] ? { album: "", ...read } : { kind: "no album" };
}

export function isOfAlbum(options: BoxOptions): options is AlbumOptions {
  return "album" in options;
}

/** Returns the album of an id; without one, the first album of the name, which for the favourites is the shown one, too. */
export function albumNamed({ album, id }: Pick<AlbumOptions, "album" | "id">, albums: readonly AlbumInfo[]): AlbumInfo | null {
  if (id !== undefined && id !== "") return albums.find((one) => one.id === id) ?? null;
  return albums.find((one) => one.name === album || shownAlbumName(one) === album) ?? null;
}

/** Returns the name of an album in the user's language. */
export function shownAlbumName({ name, is_favourites }: Pick<AlbumInfo, "name" | "is_favourites">): string {
  return is_favourites ? t("albums.favourites") : name;
}

/** Returns the fence that shows an album. Its id follows renames; its name is for the reader of the text. */
export function albumFence(album: Pick<AlbumInfo, "id" | "name" | "is_favourites">): string {
  // Names may contain separators of lines that are no control characters.
  return `\`\`\`album\nalbum: ${shownAlbumName(album).replaceAll(/[\u2028\u2029]/g, " ")}\nid: ${album.id}\n\`\`\`\n`;
}
