// What the settings say of the thumbnails in English.
import type { Catalogue } from "./message";

export const cacheEn = {
  "cache.title": "Thumbnails",
  "cache.about": "Small copies of pictures are kept, so that folders open at once. When there are too many, those that were not used for long go by themselves; they are made again when they are needed.",
  "cache.loading": "Looking at what the thumbnails take up",
  "cache.failed": "What the thumbnails take up could not be found out.",
  "cache.used": "{used} of {limit} used",
  "cache.files": { one: "{count} thumbnail", other: "{count} thumbnails" },
  "cache.empty": "No thumbnails are kept yet.",
  "cache.scanning": "They are being counted; there may be more.",
  "cache.too_full": "More than {percent}% is used. Thumbnails that were not used for long are being deleted.",
  "cache.waiting": { one: "{count} waits to be made", other: "{count} wait to be made" },
  "cache.since": "Since Fumikura started",
  "cache.hits": "Already there",
  "cache.misses": "Not there yet",
  "cache.generated": "Made",
  "cache.failures": "Could not be made",
  "cache.evicted": "Deleted to make room",
  "cache.gc": "Make room for thumbnails",
  "cache.gc_about": "Deletes those that were not used for longest, until the rest takes up no more than {size}.",
  "cache.gc_run": "Make room now",
  "cache.freed": { one: "{count} thumbnail was deleted ({size}).", other: "{count} thumbnails were deleted ({size})." },
  "cache.freed_none": "Nothing had to be deleted: there is room enough.",
  "cache.stopped": "Stopped. What was deleted by then is made again when it is needed.",
} as const satisfies Catalogue;
