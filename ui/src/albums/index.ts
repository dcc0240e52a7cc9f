// Albums, as other views use them.
export { default as AddToAlbumDialog } from "./AddToAlbumDialog.svelte";
export { AlbumActions, FAVOURITE_KEY } from "./album-actions.svelte";
export { default as AlbumTiles } from "./AlbumTiles.svelte";
export { default as FavouriteHeart } from "./FavouriteHeart.svelte";
export { Favourites } from "./favourites.svelte";
export { albumName, isSmart, withAlbumId, withAlbumName } from "./album-name";
export { default as PictureAlbums } from "./PictureAlbums.svelte";
export { SavedSearch } from "./saved-search.svelte";
export { default as SavedSearchDialog } from "./SavedSearchDialog.svelte";
export { default as SideAlbums } from "./SideAlbums.svelte";
