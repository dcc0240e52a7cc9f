// The keys of the cache view that begin no job.
export const DEFAULT_POLICY_KEY = "d";
export const RETRY_ALL_KEY = "r";
