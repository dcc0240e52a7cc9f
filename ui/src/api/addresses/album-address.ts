// The addresses of albums: `/albums/` for all, `/albums/{id}` for one.

export const ALBUMS_ADDRESS = "/albums/";

export interface AlbumPlace {
  id: string;
}

export function albumAddress(id: string): string {
  return `${ALBUMS_ADDRESS}${encodeURIComponent(id)}`;
}

/** The place of an album's address; null for any other address. */
export function parseAlbumAddress({ pathname }: URL): AlbumPlace | null {
  const id = pathname.startsWith(ALBUMS_ADDRESS) ? decodeURIComponent(pathname.slice(ALBUMS_ADDRESS.length)) : "";
  return id === "" || id.includes("/") ? null : { id };
}
