// Albums, as views: all of them, and one.
import { ALBUMS_ADDRESS, parseAlbumAddress } from "../api/addresses/album-address";
import { defineView, once } from "../view/definition";

const loadAlbums = once(() => import("./AlbumsView.svelte"));

export const albums = defineView({
  addresses: [`${ALBUMS_ADDRESS}*`],
  title: "albums.title",
  section: "pictures",
  parse: ({ pathname }) => (pathname === ALBUMS_ADDRESS || `${pathname}/` === ALBUMS_ADDRESS ? {} : null),
  command: { id: "go-albums", label: "albums.go", key: "Shift+a", address: ALBUMS_ADDRESS },
  load: loadAlbums,
});

/** Below the address of all albums. `app/` loads it with the dialogs that export and print its pictures. */
export const album = defineView({
  addresses: [],
  title: "albums.title",
  section: "pictures",
  parse: parseAlbumAddress,
  visit: ({ id }) => id,
  load: null,
});
