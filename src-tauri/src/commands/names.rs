//! The names of the commands that only the shell has, for the manifest (build.rs) and for the permissions of
//! the page.

/// The commands that only the shell has.
pub(crate) const SHELL_COMMANDS: [&str; 25] = [
    "asset_paste",
    "pick_folder",
    "pick_files",
    "save_file",
    "reveal",
    "open_picture",
    "drag_files",
    "open_data_folder",
    "open_external",
    "close_window",
    "keep_window",
    "page_listens",
    "page_drawn",
    "print_page",
    "save_pdf",
    "note_view",
    "note_tabs",
    "window_tabs",
    "zoom_window",
    "toggle_fullscreen",
    "request_close",
    "set_spelling",
    "copy_diagnostics",
    "notify_user",
    "open_notices",
];
