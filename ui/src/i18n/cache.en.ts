// What the settings say of the thumbnails in English.
import type { Catalogue } from "./message";

export const cacheEn = {
  "cache.title": "Thumbnails",
  "cache.about": "Fumikura keeps small copies of your pictures so that folders open instantly. When space runs out, those not used for the longest time are deleted; they are created again when needed.",
  "cache.loading": "Checking thumbnail usage",
  "cache.failed": "Couldn’t check how much space thumbnails use.",
  "cache.used": "{used} of {limit} used",
  "cache.files": { one: "{count} thumbnail", other: "{count} thumbnails" },
  "cache.empty": "No thumbnails yet.",
  "cache.scanning": "Still counting; there may be more.",
  "cache.too_full": "More than {percent}% is used. Old thumbnails are being deleted.",
  "cache.waiting": { one: "{count} thumbnail waiting to be created", other: "{count} thumbnails waiting to be created" },
  "cache.since": "Since Fumikura started",
  "cache.hits": "Cache hits",
  "cache.misses": "Cache misses",
  "cache.generated": "Created",
  "cache.failures": "Failed",
  "cache.evicted": "Deleted to free up space",
  "cache.gc": "Free up thumbnail space",
  "cache.gc_about": "Deletes the thumbnails not used for the longest time until the rest take up at most {size}.",
  "cache.gc_run": "Free up space now",
  "cache.freed": { one: "Deleted {count} thumbnail ({size}).", other: "Deleted {count} thumbnails ({size})." },
  "cache.freed_none": "Nothing to delete: there is enough space.",
  "cache.stopped": "Stopped. Thumbnails deleted so far are created again when needed.",
} as const satisfies Catalogue;
