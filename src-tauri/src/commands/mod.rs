//! The commands that the page may call. All return the errors of the contract: `{code, message}`.

mod args;
mod error;
mod files;
mod names;
mod open_external;
mod operations;
mod paste;
mod pick_folder;
mod window;

use tauri::ipc::Invoke;

use names::SHELL_COMMANDS;

/// The commands that the server runs (build.rs).
const OPERATIONS: &[&str] = include!(concat!(env!("OUT_DIR"), "/operations.rs"));

/// Returns the names of all commands that the page may run.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().copied().chain(SHELL_COMMANDS)
}

/// Returns the handler of the page's commands.
pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    let shell = shell_handler();
    move |invoke| {
        if OPERATIONS.contains(&invoke.message.command()) {
            operations::run(invoke);
            return true;
        }
        shell(invoke)
    }
}

fn shell_handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        paste::asset_paste,
        pick_folder::pick_folder,
        files::pick_files,
        files::save_file,
        files::reveal,
        files::open_picture,
        files::drag_files,
        files::open_data_folder,
        open_external::open_external,
        window::close_window,
        window::keep_window,
        window::page_listens,
        window::page_drawn,
        window::print_page,
        files::save_pdf,
        window::note_view,
        window::note_tabs,
        window::window_tabs,
        window::zoom_window,
        window::toggle_fullscreen,
        window::request_close,
        window::set_spelling,
        window::copy_diagnostics,
        window::notify_user,
        files::open_notices
    ]
}
