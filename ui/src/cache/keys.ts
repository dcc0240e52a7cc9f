// The keys of the cache view that do not start jobs.
export const DEFAULT_POLICY_KEY = "d";
export const RETRY_ALL_KEY = "r";
