//! The commands that the page may call. Each holds to the contract's errors: `{code, message}`.

mod close_window;
mod error;
mod open_external;
mod pick_folder;

use tauri::ipc::Invoke;

/// Answers a command of the page.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        pick_folder::pick_folder,
        open_external::open_external,
        close_window::close_window
    ]
}
