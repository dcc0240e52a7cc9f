//! The names of all commands, for the manifest (build.rs) and for what the page is granted.

/// What the page may ask of the shell.
pub(crate) const COMMANDS: [&str; 24] = [
    "lock_acquire",
    "lock_renew",
    "lock_release",
    "lock_status",
    "revision_list",
    "revision_diff",
    "revision_rollback",
    "revision_compact",
    "asset_list",
    "asset_add_files",
    "asset_paste",
    "asset_rename",
    "asset_remove",
    "asset_restore",
    "asset_zombies",
    "asset_set_owner",
    "pick_folder",
    "pick_files",
    "save_file",
    "reveal",
    "open_external",
    "close_window",
    "keep_window",
    "page_listens",
];
