// The address of the cache view, and the kinds of jobs that it shows.
export const CACHE_ADDRESS = "/cache";

export const CACHE_JOBS = ["cache_gc", "cache_clear", "ttl_run"] as const;
