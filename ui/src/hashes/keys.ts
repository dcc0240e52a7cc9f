// The keys of the hash records, except those that start jobs.
export const IMPORT_KEY = "i";
export const COPY_VERIFY_KEY = "k";
export const EXPORT_KEY = "x";
export const FOLDER_KEY = "o";
export const OWN_KEY = "Shift+o";
export const WIKI_KEY = "w";
export const SEARCH_KEY = "/";
export const APPLY_KEY = "Mod+Enter";
/** Brings back all records that were set aside. */
export const REINSTATE_KEY = "Shift+b";
export const REPORT_EXPORT_KEY = "Shift+x";
/** The keys of the record whose details are shown. */
export const DETAILS_KEY = "Escape";
export const COPY_KEY = "h";
export const PLACE_KEY = "f";
export const PAGE_KEY = "p";
export const ACCEPT_KEY = "c";
export const RESTORE_KEY = "r";
export const RESTORE_FROM_KEY = "Shift+r";
/** Opens the explanation of the record's name, and gives its field the focus. */
export const EXPLAIN_KEY = "Mod+Alt+e";
