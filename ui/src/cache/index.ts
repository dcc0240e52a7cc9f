// The cache of thumbnails and folder indexes: its usage, and expiry.
export { default as CacheRoom } from "./CacheRoom.svelte";
