// Albums, as other views use them.
export { default as AddToAlbumDialog } from "./AddToAlbumDialog.svelte";
export { AlbumActions } from "./album-actions.svelte";
export { default as AlbumTiles } from "./AlbumTiles.svelte";
export { default as PictureAlbums } from "./PictureAlbums.svelte";
