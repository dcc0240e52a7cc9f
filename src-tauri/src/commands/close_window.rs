//! `close_window`: the page has put everything in a safe place, the window may go.

use tauri::WebviewWindow;

use super::error::CommandError;

#[tauri::command]
pub(crate) fn close_window(window: WebviewWindow) -> Result<(), CommandError> {
    window.destroy().map_err(|error| {
        tracing::error!(%error, "the window can't be closed");
        CommandError::internal("The window can't be closed.")
    })
}
