// The cache of thumbnails and folder indexes: its usage, and expiry.
export { default as CacheView } from "./CacheView.svelte";
export { default as OverdueNotice } from "./expiry/OverdueNotice.svelte";
