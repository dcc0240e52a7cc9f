//! The commands that the page may call. All return the errors of the contract: `{code, message}`.

mod args;
mod assets;
mod cache;
mod error;
mod files;
mod hashes;
mod locks;
mod names;
mod open_external;
mod pick_folder;
mod revisions;
mod ttl;
mod window;

use tauri::ipc::Invoke;

pub(crate) use names::COMMANDS;

/// Returns the handler of the page's commands.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        locks::lock_acquire,
        locks::lock_renew,
        locks::lock_release,
        locks::lock_status,
        revisions::revision_list,
        revisions::revision_diff,
        revisions::revision_rollback,
        revisions::revision_compact,
        assets::asset_list,
        assets::asset_add_files,
        assets::asset_paste,
        assets::asset_rename,
        assets::asset_remove,
        assets::asset_restore,
        assets::asset_zombies,
        assets::asset_set_owner,
        cache::cache_stats,
        cache::cache_gc,
        ttl::ttl_policy_get,
        ttl::ttl_policy_set,
        ttl::ttl_run,
        hashes::hash_list,
        hashes::hash_name,
        hashes::hash_record,
        hashes::hash_verify,
        hashes::hash_migrate,
        pick_folder::pick_folder,
        files::pick_files,
        files::save_file,
        files::reveal,
        files::open_picture,
        open_external::open_external,
        window::close_window,
        window::keep_window,
        window::page_listens
    ]
}
